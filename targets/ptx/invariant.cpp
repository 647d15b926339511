// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks invariant loads for CompilerConfig::invariant_arguments: the launch has checked that no array
// argument overlaps another. The memory of an argument is then written through that argument only. If the
// kernel writes neither through the argument nor through a pointer of unknown origin, loads through the
// argument are invariant. They become `ld.global.nc`, and LLVM merges loads of one address.
#include "passes.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>

namespace kiln::ptx {
namespace {

/// A pointer in a kernel's parameter: number of the parameter, then the indices of the fields that lead to
/// the pointer.
using Leaf = std::vector<unsigned>;

/// Memory that a pointer may access.
struct Origins {
  std::set<Leaf> leaves; ///< parameters of the kernel
  bool unknown = false;  ///< the pointer was loaded from memory, or made by arithmetic
};

class Marker {
public:
  explicit Marker(llvm::Function &entry) : entry_(entry) {}

  void run() {
    for (llvm::Function &function : *entry_.getParent())
      for (llvm::Instruction &instruction : llvm::instructions(function)) look_at(instruction);
    if (writes_unknown_) return;
    for (auto &[load, origins] : loads_) {
      bool read_only = !origins.unknown && !origins.leaves.empty();
      for (const Leaf &leaf : origins.leaves) read_only &= !written_.count(leaf);
      if (read_only)
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    }
  }

private:
  void look_at(llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      Origins origins = origins_of(load->getPointerOperand());
      if (!load->isSimple())
        write(origins); // volatile and atomic loads expect writes by other threads
      else if (load->getFunction() == &entry_)
        loads_.emplace_back(load, std::move(origins));
      return;
    }
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      write(origins_of(store->getPointerOperand()));
      if (store->getValueOperand()->getType()->isPointerTy()) escape(store->getValueOperand());
      return;
    }
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (llvm::isa<llvm::LifetimeIntrinsic>(call) || call->doesNotAccessMemory())
        return; // if the result is an address, its origin is unknown
      for (llvm::Value *argument : call->args()) escape(argument);
      return;
    }
    if (instruction.mayWriteToMemory())
      for (llvm::Value *operand : instruction.operands()) // atomics
        if (operand->getType()->isPointerTy()) write(origins_of(operand));
    if (llvm::isa<llvm::PtrToIntInst>(instruction) || llvm::isa<llvm::ReturnInst>(instruction) ||
        llvm::isa<llvm::InsertValueInst>(instruction))
      for (llvm::Value *operand : instruction.operands()) escape(operand);
  }

  void write(const Origins &origins) {
    writes_unknown_ |= origins.unknown;
    written_.insert(origins.leaves.begin(), origins.leaves.end());
  }
  /// Handles a pointer, or an aggregate with pointers, that is passed to code which may write through it or
  /// store it.
  void escape(llvm::Value *value) {
    if (value->getType()->isPointerTy()) {
      Origins origins = origins_of(value);
      written_.insert(origins.leaves.begin(), origins.leaves.end());
    } else if (value->getType()->isAggregateType() && !llvm::isa<llvm::Constant>(value)) {
      auto *argument = llvm::dyn_cast<llvm::Argument>(value);
      bool is_state =
          argument && argument->getArgNo() == 0 && argument->getParent()->hasFnAttribute(StateAttribute);
      writes_unknown_ |= argument && argument->getParent() == &entry_ && !is_state;
    }
  }

  Origins origins_of(llvm::Value *pointer) {
    Origins origins;
    std::set<llvm::Value *> seen;
    trace(pointer, seen, origins);
    return origins;
  }

  void trace(llvm::Value *value, std::set<llvm::Value *> &seen, Origins &origins) {
    if (!seen.insert(value).second) return;
    if (auto *gep = llvm::dyn_cast<llvm::GEPOperator>(value))
      return trace(gep->getPointerOperand(), seen, origins);
    if (llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::Constant>(value))
      return; // memory that no argument refers to
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(value)) {
      // Ignore parameters of called functions: at the call, the pointer was treated as escaped.
      if (argument->getParent() == &entry_) origins.leaves.insert({argument->getArgNo()});
      return;
    }
    if (auto *field = llvm::dyn_cast<llvm::ExtractValueInst>(value)) return trace_field(*field, origins);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      for (llvm::Value *incoming : phi->incoming_values()) trace(incoming, seen, origins);
      return;
    }
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      trace(select->getTrueValue(), seen, origins);
      return trace(select->getFalseValue(), seen, origins);
    }
    if (auto *cast = llvm::dyn_cast<llvm::CastInst>(value)) {
      if (llvm::isa<llvm::AddrSpaceCastInst>(cast) || llvm::isa<llvm::BitCastInst>(cast) || is_record(*cast))
        return trace(cast->getOperand(0), seen, origins);
    }
    origins.unknown = true;
  }

  /// Returns true for the address of the exception record, an integer in the kernel state.
  static bool is_record(const llvm::CastInst &cast) {
    auto *field = llvm::dyn_cast<llvm::ExtractValueInst>(cast.getOperand(0));
    auto *argument = field ? llvm::dyn_cast<llvm::Argument>(field->getAggregateOperand()) : nullptr;
    return llvm::isa<llvm::IntToPtrInst>(cast) && argument && argument->getArgNo() == 0;
  }

  void trace_field(llvm::ExtractValueInst &last, Origins &origins) {
    Leaf leaf;
    llvm::Value *at = &last;
    while (auto *field = llvm::dyn_cast<llvm::ExtractValueInst>(at)) {
      leaf.insert(leaf.begin(), field->idx_begin(), field->idx_end());
      at = field->getAggregateOperand();
    }
    auto *argument = llvm::dyn_cast<llvm::Argument>(at);
    if (!argument) {
      origins.unknown = true;
    } else if (argument->getParent() == &entry_) {
      leaf.insert(leaf.begin(), argument->getArgNo());
      origins.leaves.insert(std::move(leaf));
    }
  }

  llvm::Function &entry_;
  bool writes_unknown_ = false;
  std::set<Leaf> written_;
  std::vector<std::pair<llvm::LoadInst *, Origins>> loads_;
};

} // namespace

Result<void> mark_invariant_arguments(const Target &target, const CompilerConfig &config,
                                      llvm::Module &module) {
  if (!config.invariant_arguments || !config.kernel || !config.optimize) return {};
  KILN_TRY(llvm::Function * entry, entry_of(module));
  Marker(*entry).run();
  return {};
}

} // namespace kiln::ptx
