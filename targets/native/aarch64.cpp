// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapts emitted code to AArch64.
//
// Structures in calls of C functions: emitted calls have the form of x86-64, `byval`, so that LLVM copies the
// structure onto the stack. AArch64's calling convention (AAPCS64) passes a structure of more than 16 bytes
// by the address of a copy, which the emitted call has made. Three or four Float64 are passed in vector
// registers. runtime/host/c_entry.h receives the same forms.
//
// The clock: Linux does not let programs read AArch64's cycle counter. The counter of the system, which all
// processors share, takes its place.
#include "machine.h"
#include "passes.h"

#include <kiln/extension/llvm/ir.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace kiln::native {
namespace {

/// Adds the number of Float64 in `type` to `count`. Returns false if it contains another type.
bool count_floats(const llvm::Type *type, uint64_t &count) {
  if (type->isDoubleTy()) return ++count;
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t each = 0;
    if (!count_floats(array->getElementType(), each)) return false;
    count += each * array->getNumElements();
    return true;
  }
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure && llvm::all_of(structure->elements(),
                                   [&](const llvm::Type *member) { return count_floats(member, count); });
}

/// Returns a copy of the call whose structures are addresses or arrays of Float64.
llvm::CallInst *with_structures_passed(llvm::CallInst &call) {
  constexpr uint64_t max_floats = 4;
  llvm::IRBuilder<> ir(&call);
  llvm::SmallVector<llvm::Type *, 8> types;
  llvm::SmallVector<llvm::Value *, 8> values;
  llvm::SmallVector<llvm::AttributeSet, 8> attributes;
  for (unsigned i = 0; i < call.arg_size(); i++) {
    llvm::Value *value = call.getArgOperand(i);
    llvm::AttributeSet all = call.getAttributes().getParamAttrs(i);
    if (llvm::Type *type = call.getParamByValType(i)) {
      uint64_t floats = 0;
      if (count_floats(type, floats) && floats <= max_floats)
        value = ir.CreateLoad(llvm::ArrayType::get(ir.getDoubleTy(), floats), value);
      all = {};
    }
    types.push_back(value->getType());
    values.push_back(value);
    attributes.push_back(all);
  }
  auto *type = llvm::FunctionType::get(call.getType(), types, false);
  llvm::CallInst *passed = ir.CreateCall(type, call.getCalledOperand(), values);
  passed->copyMetadata(call);
  passed->setAttributes(llvm::AttributeList::get(call.getContext(), call.getAttributes().getFnAttrs(),
                                                 call.getAttributes().getRetAttrs(), attributes));
  return passed;
}

} // namespace

Result<void> adapt_to_aarch64(const Target &, const CompilerConfig &config, llvm::Module &module) {
  if (machine_of(config.target.get<NativeOptions>().cpu) != Machine::AArch64) return {};
  if (llvm::Function *cycles = module.getFunction("llvm.readcyclecounter"))
    cycles->replaceAllUsesWith(
        llvm::Intrinsic::getOrInsertDeclaration(&module, llvm::Intrinsic::readsteadycounter));
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->hasFnAttr(HostCallAttribute) || !call->hasByValArgument()) continue;
      llvm::CallInst *passed = with_structures_passed(*call);
      passed->takeName(call);
      call->replaceAllUsesWith(passed);
      call->eraseFromParent();
    }
  return {};
}

} // namespace kiln::native
