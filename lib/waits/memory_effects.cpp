// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_effects.h"

#include <kiln/abi.h>
#include <kiln/extension/llvm/ir.h>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::waits {

Effects &Effects::operator|=(const Effects &other) {
  synchronises |= other.synchronises;
  reads |= other.reads;
  writes |= other.writes;
  reads_clock |= other.reads_clock;
  return *this;
}

const llvm::AllocaInst *local_variable(const llvm::Value &pointer) {
  return llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, /*MaxLookup=*/0));
}

bool is_atomic_read(const llvm::AtomicRMWInst &update) {
  auto *operand = llvm::dyn_cast<llvm::Constant>(update.getValOperand());
  if (!operand || !operand->isZeroValue()) return false;
  switch (update.getOperation()) {
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub:
  case llvm::AtomicRMWInst::Or:
  case llvm::AtomicRMWInst::Xor:
  case llvm::AtomicRMWInst::UMax: return true;
  default: return false;
  }
}

FunctionEffects::FunctionEffects(const llvm::Module &module, Predicate is_ignored)
    : is_ignored_(std::move(is_ignored)) {
  std::unordered_map<const llvm::Function *, std::vector<const llvm::Function *>> callers;
  std::vector<const llvm::Function *> changed;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || is_ignored_(function)) continue;
    Effects own;
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      own |= get(instruction); // without the effects of callees, which are added below
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
          callers[callee].push_back(&function);
    }
    functions_[&function] = own;
    changed.push_back(&function);
  }
  while (!changed.empty()) {
    const llvm::Function *callee = changed.back();
    changed.pop_back();
    const auto of_callee = functions_.find(callee);
    const auto found = callers.find(callee);
    if (of_callee == functions_.end() || found == callers.end()) continue;
    for (const llvm::Function *caller : found->second) {
      Effects &effects = functions_[caller];
      const Effects before = effects;
      effects |= of_callee->second;
      if (effects != before) changed.push_back(caller);
    }
  }
}

Effects FunctionEffects::get(const llvm::Instruction &instruction) const {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || load->hasMetadata(StopLoad) ||
        local_variable(*load->getPointerOperand()))
      return {};
    auto *global = llvm::dyn_cast<llvm::GlobalVariable>(load->getPointerOperand()->stripInBoundsOffsets());
    if (global && (global->isConstant() || global->getName().starts_with(abi::HostFunctionPrefix))) return {};
    return {.synchronises = load->isAtomic() || load->isVolatile(), .reads = true};
  }
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (local_variable(*store->getPointerOperand())) return {};
    return {.synchronises = store->isAtomic() || store->isVolatile(), .writes = true};
  }
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {.synchronises = true, .reads = true, .writes = !is_atomic_read(*update)};
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction))
    return {.synchronises = true, .reads = true, .writes = true};
  if (llvm::isa<llvm::FenceInst>(instruction)) return {.synchronises = true};
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || call->isInlineAsm()) return {};
  if (call->hasFnAttr(HostCallAttribute)) return {.synchronises = false, .reads = true, .writes = true};
  const llvm::Function *callee = call->getCalledFunction();
  if (!callee) return {.synchronises = true, .reads = true, .writes = true};
  if (callee->isDeclaration()) return effects_of_declaration(*call, *callee);
  return get(*callee);
}

Effects FunctionEffects::get(const llvm::Function &function) const {
  const auto found = functions_.find(&function);
  return found == functions_.end() ? Effects() : found->second;
}

Effects FunctionEffects::effects_of_declaration(const llvm::CallBase &call,
                                                const llvm::Function &callee) const {
  if (call.doesNotAccessMemory() || is_ignored_(callee)) return {};
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return {};
    if (intrinsic->getIntrinsicID() == llvm::Intrinsic::readcyclecounter ||
        intrinsic->getIntrinsicID() == llvm::Intrinsic::readsteadycounter)
      return {.reads_clock = true};
    if (auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(intrinsic)) {
      auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(memory);
      return {.reads = transfer && !local_variable(*transfer->getRawSource()),
              .writes = !local_variable(*memory->getRawDest())};
    }
  }
  const llvm::StringRef name = callee.getName();
  if (name == "clock_gettime") return {.reads_clock = true};
  if (name.starts_with("kiln.")) return {}; // waits have no memory effects of their own
  return {.writes = !call.onlyReadsMemory()};
}

} // namespace kiln::waits
