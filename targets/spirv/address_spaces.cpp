// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives pointers the address spaces of LLVM's SPIR-V back-end. Until here a pointer of address space 0 may
// refer to any memory, as for ptx, and allocas have that address space too. In SPIR-V, allocas are in the
// storage class Function (0), and pointers to any memory are Generic (4). The module is rebuilt function by
// function with mapped types; then LLVM's inference removes the casts to Generic that are not needed.
#include "passes.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <fmt/format.h>

namespace kiln::spirv {
namespace {

unsigned mapped_space(unsigned of) {
  switch (of) {
  case space::Any: return spirv_space::Generic;
  case space::Shared: return spirv_space::Workgroup;
  case space::Local: return spirv_space::Function;
  case spirv_space::UniformConstant: return spirv_space::UniformConstant; // texts of printf
  default: return spirv_space::CrossWorkgroup;
  }
}

class MappedTypes final : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override {
    if (auto *pointer = llvm::dyn_cast<llvm::PointerType>(type))
      return llvm::PointerType::get(type->getContext(), mapped_space(pointer->getAddressSpace()));
    if (type->isBFloatTy()) return llvm::Type::getInt16Ty(type->getContext()); // lower_bfloats
    if (type->getNumContainedTypes() == 0) return type;
    auto &mapped = known_[type];
    if (mapped) return mapped;
    llvm::SmallVector<llvm::Type *, 8> parts;
    for (llvm::Type *part : type->subtypes()) parts.push_back(remapType(part));
    return known_[type] = rebuild(type, parts);
  }

private:
  static llvm::Type *rebuild(llvm::Type *type, llvm::ArrayRef<llvm::Type *> parts) {
    if (llvm::ArrayRef<llvm::Type *>(type->subtype_begin(), type->subtype_end()) == parts) return type;
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(parts[0], array->getNumElements());
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
      return llvm::VectorType::get(parts[0], vector->getElementCount());
    if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type))
      return llvm::FunctionType::get(parts[0], parts.drop_front(), function->isVarArg());
    return llvm::StructType::get(type->getContext(), parts, llvm::cast<llvm::StructType>(type)->isPacked());
  }
  llvm::DenseMap<llvm::Type *, llvm::Type *> known_;
};

class Rebuilder {
public:
  explicit Rebuilder(llvm::Module &module) : module_(module) {}

  void run() {
    std::vector<llvm::Function *> functions;
    std::vector<llvm::GlobalVariable *> globals;
    for (llvm::Function &function : module_) functions.push_back(&function);
    for (llvm::GlobalVariable &global : module_.globals())
      if (!global.getName().starts_with("llvm.")) globals.push_back(&global);
    for (llvm::GlobalVariable *global : globals) declare(*global);
    for (llvm::Function *function : functions) declare(*function);
    for (llvm::GlobalVariable *global : globals)
      if (global->hasInitializer())
        llvm::cast<llvm::GlobalVariable>(map_[global])
            ->setInitializer(llvm::MapValue(global->getInitializer(), map_, llvm::RF_None, &types_));
    for (llvm::Function *function : functions)
      if (!function->isDeclaration()) rebuild(*function);
    for (llvm::Function *function : functions) function->dropAllReferences();
    for (llvm::Function *function : functions) {
      auto *made = llvm::cast<llvm::Function>(map_[function]);
      const std::string name = function->getName().str();
      function->eraseFromParent();
      if (!made->isIntrinsic()) made->setName(name);
    }
    for (llvm::GlobalVariable *global : globals) {
      auto *made = llvm::cast<llvm::GlobalVariable>(map_[global]);
      global->replaceAllUsesWith(llvm::PoisonValue::get(global->getType()));
      made->takeName(global);
      global->eraseFromParent();
    }
  }

private:
  void declare(llvm::GlobalVariable &global) {
    auto *made = new llvm::GlobalVariable(module_, types_.remapType(global.getValueType()),
                                          global.isConstant(), global.getLinkage(), nullptr, "", &global,
                                          llvm::GlobalValue::NotThreadLocal, space_of(global));
    made->copyAttributesFrom(&global);
    if (space_of(global) == spirv_space::Workgroup) made->setLinkage(llvm::GlobalValue::InternalLinkage);
    map_[&global] = made;
  }
  /// Variables without a space of their own are in global memory.
  static unsigned space_of(const llvm::GlobalVariable &global) {
    return global.getAddressSpace() == space::Any ? spirv_space::CrossWorkgroup
                                                  : mapped_space(global.getAddressSpace());
  }

  void declare(llvm::Function &function) {
    if (function.isIntrinsic()) { // its name depends on its types
      llvm::SmallVector<llvm::Type *, 4> overloads;
      auto *type = llvm::cast<llvm::FunctionType>(types_.remapType(function.getFunctionType()));
      const llvm::Intrinsic::ID id = function.getIntrinsicID();
      llvm::Intrinsic::getIntrinsicSignature(id, type, overloads);
      if (llvm::Intrinsic::isOverloaded(id) && type != function.getFunctionType()) {
        map_[&function] = llvm::Intrinsic::getOrInsertDeclaration(&module_, id, overloads);
        return;
      }
    }
    auto *type = llvm::cast<llvm::FunctionType>(types_.remapType(function.getFunctionType()));
    llvm::SmallVector<llvm::Type *, 8> parameters(type->params());
    for (llvm::Argument &argument : function.args())
      if (argument.hasByValAttr())
        parameters[argument.getArgNo()] = llvm::PointerType::get(module_.getContext(), spirv_space::Function);
    type = llvm::FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
    auto *made = llvm::Function::Create(type, function.getLinkage(), spirv_space::Function, "", &module_);
    if (function.isIntrinsic()) {
      const std::string name = function.getName().str();
      function.setName(name + ".old");
      made->setName(name);
    }
    made->copyAttributesFrom(&function);
    made->setCallingConv(function.getCallingConv() == llvm::CallingConv::C ? llvm::CallingConv::SPIR_FUNC
                                                                           : function.getCallingConv());
    map_[&function] = made;
  }

  void rebuild(llvm::Function &function) {
    auto *made = llvm::cast<llvm::Function>(map_[&function]);
    llvm::SmallVector<llvm::Argument *, 4> by_value;
    for (auto [old, argument] : llvm::zip(function.args(), made->args())) {
      argument.setName(old.getName());
      map_[&old] = &argument;
      if (old.hasByValAttr()) by_value.push_back(&argument);
    }
    for (llvm::Instruction &instruction : llvm::instructions(function))
      for (llvm::Value *operand : instruction.operands())
        if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(operand);
            number && number->getType()->isBFloatTy())
          map_[number] = llvm::ConstantInt::get(module_.getContext(), number->getValueAPF().bitcastToAPInt());
    llvm::SmallVector<llvm::ReturnInst *, 4> returns;
    llvm::CloneFunctionInto(made, &function, map_, llvm::CloneFunctionChangeType::GlobalChanges, returns, "",
                            nullptr, &types_);
    for (llvm::Argument *argument : by_value) cast_uses(*argument, made->getEntryBlock().begin());
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(*made)))
      correct(instruction);
  }

  /// `value` is in the storage class Function, but its users expect a Generic pointer: passes them a cast.
  void cast_uses(llvm::Value &value, llvm::BasicBlock::iterator at) {
    llvm::IRBuilder<> ir(at->getParent(), at);
    auto *generic = llvm::PointerType::get(module_.getContext(), spirv_space::Generic);
    auto *cast = llvm::CastInst::Create(llvm::Instruction::AddrSpaceCast, &value, generic, "", at);
    value.replaceUsesWithIf(cast, [&](llvm::Use &use) { return use.getUser() != cast; });
  }

  void correct(llvm::Instruction &instruction) {
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      alloca->mutateType(llvm::PointerType::get(module_.getContext(), spirv_space::Function));
      cast_uses(*alloca, std::next(alloca->getIterator()));
      return;
    }
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
        cast && cast->getSrcAddressSpace() == cast->getDestAddressSpace()) {
      cast->replaceAllUsesWith(cast->getOperand(0));
      cast->eraseFromParent();
      return;
    }
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (const llvm::Function *callee = call->getCalledFunction(); callee && !callee->isIntrinsic())
        call->setCallingConv(callee->getCallingConv());
  }

  llvm::Module &module_;
  MappedTypes types_;
  llvm::ValueToValueMapTy map_;
};

/// Replaces uses of a variable by functions: each function that uses it gets a cast of `global` at the use.
void cast_at_uses(llvm::GlobalVariable &variable, llvm::GlobalVariable &global) {
  for (llvm::Use &use : llvm::make_early_inc_range(variable.uses())) {
    auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user) continue;
    auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
    llvm::Instruction *at = phi ? phi->getIncomingBlock(use)->getTerminator() : user;
    auto *cast = llvm::CastInst::Create(llvm::Instruction::AddrSpaceCast, &global, variable.getType(), "",
                                        at->getIterator());
    cast->setDebugLoc(at->getDebugLoc());
    if (phi) // a block may occur twice among the incoming ones; the values must agree
      phi->setIncomingValueForBlock(phi->getIncomingBlock(use), cast);
    else
      use.set(cast);
  }
}

/// Moves variables without an address space to global memory. Casts of constants become instructions, since
/// the spaces of a constant cast may become equal.
void place_variables(llvm::Module &module) {
  std::vector<llvm::GlobalVariable *> variables;
  std::vector<llvm::Constant *> constants;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getName().starts_with("llvm.")) continue;
    constants.push_back(&variable);
    if (variable.getAddressSpace() == space::Any) variables.push_back(&variable);
  }
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::GlobalVariable *variable : variables) {
    auto *global = new llvm::GlobalVariable(module, variable->getValueType(), variable->isConstant(),
                                            variable->getLinkage(), variable->getInitializer(), "", variable,
                                            llvm::GlobalValue::NotThreadLocal, space::Global);
    global->copyAttributesFrom(variable);
    global->takeName(variable);
    cast_at_uses(*variable, *global);
    if (!variable->use_empty()) // in initialisers of other variables
      variable->replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(global, variable->getType()));
    variable->eraseFromParent();
  }
}

/// Removes lifetime markers, which must name an alloca and would name a cast of it.
void drop_lifetimes(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (instruction.isLifetimeStartOrEnd()) instruction.eraseFromParent();
}

} // namespace

Result<void> map_address_spaces(llvm::Module &module) {
  drop_lifetimes(module);
  place_variables(module);
  Rebuilder(module).run();
  // Removes casts to Generic where the origin of a pointer is known.
  run_on_functions(module, llvm::InferAddressSpacesPass(spirv_space::Generic),
                   [](const llvm::Function &) { return true; });
  return {};
}

} // namespace kiln::spirv
