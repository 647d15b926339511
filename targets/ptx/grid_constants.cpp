// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the addresses of kernel parameters that kernels use. The hardware reads a tensor map from its address
// in the kernel's parameter space. Emission passes arguments as values, and the device library calls
// `kiln.parameter_address(value)` for the address. This pass runs on the optimised module. It traces such a
// value to its argument, makes the argument a __grid_constant__ parameter by reference, and replaces the call
// by the parameter's address.
#include "passes.h"

#include <llvm_support/llvm_support.h>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace kiln::ptx {
namespace {

constexpr const char *Question = "kiln.parameter_address";
constexpr uint64_t map_alignment = 64; // CUtensorMap's

/// A part of an argument.
struct Part {
  const llvm::Argument *argument = nullptr;
  llvm::SmallVector<unsigned, 4> path;
};

/// Finds the part of an argument that `value` is, by following extractvalue instructions only.
std::optional<Part> part_of(const llvm::Value *value) {
  Part part;
  while (const auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
    part.path.insert(part.path.begin(), extract->idx_begin(), extract->idx_end());
    value = extract->getAggregateOperand();
  }
  part.argument = llvm::dyn_cast<llvm::Argument>(value);
  return part.argument ? std::optional(part) : std::nullopt;
}

/// Lists the paths (field indices) of all scalars in `type`.
void leaves_of(llvm::Type *type, llvm::SmallVectorImpl<unsigned> &at,
               std::vector<llvm::SmallVector<unsigned, 4>> &into) {
  const unsigned count = type->isStructTy()  ? type->getStructNumElements()
                         : type->isArrayTy() ? unsigned(type->getArrayNumElements())
                                             : 0;
  if (count == 0) into.emplace_back(at.begin(), at.end());
  for (unsigned i = 0; i < count; i++) {
    at.push_back(i);
    leaves_of(llvm::ExtractValueInst::getIndexedType(type, i), at, into);
    at.pop_back();
  }
}

/// Finds the part of an argument of which `value` is a copy, even if its fields were extracted and inserted
/// again.
std::optional<Part> source_of(llvm::Value *value) {
  if (auto whole = part_of(value)) return whole;
  llvm::SmallVector<unsigned, 4> at;
  std::vector<llvm::SmallVector<unsigned, 4>> leaves;
  leaves_of(value->getType(), at, leaves);
  std::optional<Part> found;
  for (const auto &leaf : leaves) {
    const llvm::Value *scalar = llvm::FindInsertedValue(value, leaf);
    std::optional<Part> part = scalar ? part_of(scalar) : std::nullopt;
    if (!part || part->path.size() < leaf.size() ||
        !std::equal(leaf.begin(), leaf.end(), part->path.end() - ptrdiff_t(leaf.size())))
      return std::nullopt;
    part->path.truncate(part->path.size() - leaf.size());
    if (found && (found->argument != part->argument || found->path != part->path)) return std::nullopt;
    found = part;
  }
  return found;
}

uint64_t offset_of(const llvm::DataLayout &layout, llvm::Type *type, llvm::ArrayRef<unsigned> path) {
  llvm::SmallVector<llvm::Value *, 5> indices;
  auto *word = llvm::Type::getInt32Ty(type->getContext());
  indices.push_back(llvm::ConstantInt::get(word, 0));
  for (unsigned index : path) indices.push_back(llvm::ConstantInt::get(word, index));
  return uint64_t(layout.getIndexedOffsetInType(type, indices));
}

/// Marks a call whose argument cannot be traced to a parameter. Validation reports the marker with its source
/// stack.
void refuse(llvm::CallInst &call) {
  llvm::IRBuilder<> b(&call);
  llvm::Module &module = *call.getModule();
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  llvm::Value *message = b.CreateGlobalStringPtr(
      "a tensor map must be an argument of the kernel, or a field of one at a multiple of 64 bytes: the "
      "hardware reads it where the launch put it",
      "", 0, &module);
  b.CreateCall(module.getOrInsertFunction("kiln.static_error", type), {message});
  call.replaceAllUsesWith(llvm::ConstantPointerNull::get(b.getPtrTy()));
  call.eraseFromParent();
}

/// Clones the entry. The parameters in `by_reference` are passed by reference.
llvm::Function *with_references(llvm::Function &entry, const std::set<unsigned> &by_reference) {
  llvm::Module &module = *entry.getParent();
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Type *, 8> types;
  for (llvm::Argument &argument : entry.args())
    types.push_back(by_reference.contains(argument.getArgNo()) ? llvm::PointerType::get(context, 0)
                                                               : argument.getType());
  auto *made = llvm::Function::Create(llvm::FunctionType::get(entry.getReturnType(), types, false),
                                      entry.getLinkage(), entry.getAddressSpace(), "", &module);
  made->copyAttributesFrom(&entry);
  made->takeName(&entry);
  made->copyMetadata(&entry, 0);
  made->splice(made->begin(), &entry);
  llvm::IRBuilder<> b(&*made->getEntryBlock().getFirstInsertionPt());
  for (unsigned i = 0; i < types.size(); i++) {
    llvm::Argument *from = entry.getArg(i), *to = made->getArg(i);
    to->takeName(from);
    if (!by_reference.contains(i)) {
      from->replaceAllUsesWith(to);
      continue;
    }
    made->addParamAttr(i, llvm::Attribute::getWithByValType(context, from->getType()));
    made->addParamAttr(i, llvm::Attribute::getWithAlignment(context, llvm::Align(map_alignment)));
    made->addParamAttr(i, llvm::Attribute::ReadOnly);
    made->addParamAttr(i, llvm::Attribute::get(context, "nvvm.grid_constant"));
    if (!from->use_empty())
      from->replaceAllUsesWith(b.CreateAlignedLoad(from->getType(), to, llvm::Align(map_alignment)));
  }
  entry.replaceAllUsesWith(made);
  entry.eraseFromParent();
  return made;
}

} // namespace

void place_grid_constants(llvm::Module &module) {
  llvm::Function *question = module.getFunction(Question), *entry = find_entry(module);
  if (!question || !entry) return;
  struct Answer {
    llvm::CallInst *call;
    unsigned parameter;
    uint64_t offset;
  };
  std::vector<Answer> answers;
  std::set<unsigned> by_reference;
  const llvm::DataLayout &layout = module.getDataLayout();
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledOperand() == question)
          calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    std::optional<Part> part = source_of(call->getArgOperand(0));
    if (!part || part->argument->getParent() != entry) {
      refuse(*call);
      continue;
    }
    const uint64_t offset = offset_of(layout, part->argument->getType(), part->path);
    if (offset % map_alignment != 0) {
      refuse(*call);
      continue;
    }
    answers.push_back({call, part->argument->getArgNo(), offset});
    by_reference.insert(part->argument->getArgNo());
  }
  if (!by_reference.empty()) {
    llvm::Function *made = with_references(*entry, by_reference);
    for (const Answer &answer : answers) {
      llvm::IRBuilder<> b(answer.call);
      llvm::Value *address = made->getArg(answer.parameter);
      if (answer.offset) address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), address, answer.offset);
      answer.call->replaceAllUsesWith(address);
      answer.call->eraseFromParent();
    }
  }
  if (question->use_empty()) question->eraseFromParent();
}

} // namespace kiln::ptx
