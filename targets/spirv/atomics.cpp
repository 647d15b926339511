// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL has atomic operations on integers of 32 and 64 bits. Operations on 8 and 16 bits become
// compare-and-swap loops on the aligned 32 bits around them; those on floats, and sums with a limit, become
// loops on integers. LLVM's own expansions do both.
#include "builtins.h"
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <fmt/format.h>

namespace kiln::spirv {
namespace {

using RMW = llvm::AtomicRMWInst;

unsigned bits_of(const llvm::Instruction &at, llvm::Type *type) {
  return unsigned(at.getDataLayout().getTypeSizeInBits(type));
}

/// The aligned 32-bit word around a value of 8 or 16 bits.
struct Word {
  llvm::Value *address, *shift, *mask; ///< bits of the value in the word
};
Word word_around(llvm::IRBuilder<> &ir, llvm::Value *pointer, unsigned bits) {
  llvm::Value *number = ir.CreatePtrToInt(pointer, ir.getInt64Ty());
  llvm::Value *address =
      ir.CreateIntToPtr(ir.CreateAnd(number, ir.getInt64(~uint64_t(3))), pointer->getType());
  llvm::Value *shift = ir.CreateShl(ir.CreateTrunc(ir.CreateAnd(number, ir.getInt64(3)), ir.getInt32Ty()), 3);
  return {address, shift, ir.CreateShl(ir.getInt32((1u << bits) - 1), shift)};
}

/// Splits the block before `at` and builds a loop that ends when the exchange succeeds. `update` makes the
/// new word from the old one. Returns the old word; the builder is after the loop.
template <class Update>
llvm::Value *build_loop(llvm::Instruction &at, llvm::Type *word, llvm::Value *address, llvm::Align align,
                        llvm::AtomicOrdering order, llvm::SyncScope::ID scope, const Update &update) {
  llvm::BasicBlock *before = at.getParent();
  llvm::BasicBlock *after = before->splitBasicBlock(at.getIterator());
  llvm::LLVMContext &context = at.getContext();
  llvm::BasicBlock *loop = llvm::BasicBlock::Create(context, "", before->getParent(), after);
  before->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> ir(before);
  ir.SetCurrentDebugLocation(at.getDebugLoc());
  auto *first = ir.CreateAlignedLoad(word, address, align);
  first->setAtomic(llvm::AtomicOrdering::Monotonic, scope);
  ir.CreateBr(loop);
  ir.SetInsertPoint(loop);
  llvm::PHINode *old = ir.CreatePHI(word, 2);
  old->addIncoming(first, before);
  llvm::Value *wanted = update(ir, old);
  auto *both = ir.CreateAtomicCmpXchg(address, old, wanted, align, order,
                                      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
  llvm::Value *found = ir.CreateExtractValue(both, 0);
  old->addIncoming(found, ir.GetInsertBlock());
  ir.CreateCondBr(ir.CreateExtractValue(both, 1), after, loop);
  return found;
}

bool is_native(const RMW &update) {
  switch (update.getOperation()) {
  case RMW::Xchg:
  case RMW::Add:
  case RMW::Sub:
  case RMW::And:
  case RMW::Or:
  case RMW::Xor:
  case RMW::Max:
  case RMW::Min:
  case RMW::UMax:
  case RMW::UMin: return update.getType()->isIntegerTy() && bits_of(update, update.getType()) >= 32;
  default: return false;
  }
}

void expand(RMW &update) {
  llvm::Type *type = update.getType();
  const unsigned bits = bits_of(update, type);
  llvm::IRBuilder<> ir(&update);
  llvm::Type *integer = ir.getIntNTy(bits);
  llvm::Value *result = nullptr;
  if (bits >= 32) {
    llvm::Value *old =
        build_loop(update, integer, update.getPointerOperand(), update.getAlign(), update.getOrdering(),
                   update.getSyncScopeID(), [&](llvm::IRBuilder<> &at, llvm::Value *word) {
                     llvm::Value *value = llvm::buildAtomicRMWValue(
                         update.getOperation(), at, at.CreateBitCast(word, type), update.getValOperand());
                     return at.CreateBitCast(value, integer);
                   });
    ir.SetInsertPoint(&update);
    result = ir.CreateBitCast(old, type);
  } else {
    const Word word = word_around(ir, update.getPointerOperand(), bits);
    llvm::Value *old =
        build_loop(update, ir.getInt32Ty(), word.address, llvm::Align(4), update.getOrdering(),
                   update.getSyncScopeID(), [&](llvm::IRBuilder<> &at, llvm::Value *all) {
                     llvm::Value *part = at.CreateTrunc(at.CreateLShr(all, word.shift), integer);
                     llvm::Value *value = llvm::buildAtomicRMWValue(
                         update.getOperation(), at, at.CreateBitCast(part, type), update.getValOperand());
                     llvm::Value *moved = at.CreateShl(
                         at.CreateZExt(at.CreateBitCast(value, integer), at.getInt32Ty()), word.shift);
                     return at.CreateOr(at.CreateAnd(all, at.CreateNot(word.mask)), moved);
                   });
    ir.SetInsertPoint(&update);
    result = ir.CreateBitCast(ir.CreateTrunc(ir.CreateLShr(old, word.shift), integer), type);
  }
  update.replaceAllUsesWith(result);
  update.eraseFromParent();
}

/// A compare-and-swap of 8 or 16 bits. It fails only if the value itself differs; a change of neighbouring
/// bits repeats it.
void expand(llvm::AtomicCmpXchgInst &exchange) {
  llvm::Type *type = exchange.getCompareOperand()->getType();
  const unsigned bits = bits_of(exchange, type);
  llvm::IRBuilder<> ir(&exchange);
  const Word word = word_around(ir, exchange.getPointerOperand(), bits);
  llvm::Value *expected = ir.CreateZExt(exchange.getCompareOperand(), ir.getInt32Ty());
  llvm::Value *wanted = ir.CreateShl(ir.CreateZExt(exchange.getNewValOperand(), ir.getInt32Ty()), word.shift);
  llvm::Value *mask = word.mask;
  llvm::Value *old =
      build_loop(exchange, ir.getInt32Ty(), word.address, llvm::Align(4), exchange.getSuccessOrdering(),
                 exchange.getSyncScopeID(), [&](llvm::IRBuilder<> &at, llvm::Value *all) {
                   llvm::Value *part = at.CreateLShr(at.CreateAnd(all, mask), word.shift);
                   llvm::Value *with = at.CreateOr(at.CreateAnd(all, at.CreateNot(mask)), wanted);
                   return at.CreateSelect(at.CreateICmpEQ(part, expected), with, all);
                 });
  ir.SetInsertPoint(&exchange);
  llvm::Value *part = ir.CreateLShr(ir.CreateAnd(old, mask), word.shift);
  llvm::Value *both = llvm::PoisonValue::get(exchange.getType());
  both = ir.CreateInsertValue(both, ir.CreateTrunc(part, type), 0);
  both = ir.CreateInsertValue(both, ir.CreateICmpEQ(part, expected), 1);
  exchange.replaceAllUsesWith(both);
  exchange.eraseFromParent();
}

/// Atomic loads and stores: of 32 and 64 bits as integers; smaller ones by a read-modify-write of their word.
void expand(llvm::LoadInst &load) {
  llvm::Type *type = load.getType();
  llvm::IRBuilder<> ir(&load);
  const unsigned bits = bits_of(load, type);
  llvm::Value *value = nullptr;
  if (bits >= 32) {
    auto *same = ir.CreateAlignedLoad(ir.getIntNTy(bits), load.getPointerOperand(), load.getAlign());
    same->setAtomic(load.getOrdering(), load.getSyncScopeID());
    value = same;
  } else {
    const Word word = word_around(ir, load.getPointerOperand(), bits);
    auto *all = ir.CreateAlignedLoad(ir.getInt32Ty(), word.address, llvm::Align(4));
    all->setAtomic(load.getOrdering(), load.getSyncScopeID());
    value = ir.CreateTrunc(ir.CreateLShr(all, word.shift), ir.getIntNTy(bits));
  }
  load.replaceAllUsesWith(type->isPointerTy() ? ir.CreateIntToPtr(value, type)
                                              : ir.CreateBitCast(value, type));
  load.eraseFromParent();
}
void expand(llvm::StoreInst &store) {
  llvm::Value *value = store.getValueOperand();
  llvm::IRBuilder<> ir(&store);
  const unsigned bits = bits_of(store, value->getType());
  llvm::Type *integer = ir.getIntNTy(bits);
  value =
      value->getType()->isPointerTy() ? ir.CreatePtrToInt(value, integer) : ir.CreateBitCast(value, integer);
  if (bits >= 32) {
    auto *same = ir.CreateAlignedStore(value, store.getPointerOperand(), store.getAlign());
    same->setAtomic(store.getOrdering(), store.getSyncScopeID());
  } else {
    auto *exchange = ir.CreateAtomicRMW(RMW::Xchg, store.getPointerOperand(), value, store.getAlign(),
                                        llvm::isStrongerThanMonotonic(store.getOrdering())
                                            ? store.getOrdering()
                                            : llvm::AtomicOrdering::Monotonic,
                                        store.getSyncScopeID());
    expand(*exchange);
  }
  store.eraseFromParent();
}

/// Memory semantics of SPIR-V for an ordering, and the memory that a pointer may refer to.
uint32_t semantics_of(llvm::AtomicOrdering order, unsigned address_space) {
  enum : uint32_t { Acquire = 2, Release = 4, AcquireRelease = 8, SequentiallyConsistent = 16 };
  enum : uint32_t { WorkgroupMemory = 0x100, CrossWorkgroupMemory = 0x200 };
  const uint32_t memory = address_space == spirv_space::Workgroup ? WorkgroupMemory
                          : address_space == spirv_space::CrossWorkgroup
                              ? CrossWorkgroupMemory
                              : WorkgroupMemory | CrossWorkgroupMemory;
  switch (order) {
  case llvm::AtomicOrdering::Acquire: return Acquire | memory;
  case llvm::AtomicOrdering::Release: return Release | memory;
  case llvm::AtomicOrdering::AcquireRelease: return AcquireRelease | memory;
  case llvm::AtomicOrdering::SequentiallyConsistent: return SequentiallyConsistent | memory;
  default: return 0; // relaxed
  }
}

/// Replaces an atomic load or store by a call of the operation's built-in function, since the back-end drops
/// the ordering. `values`: the stored value; none for a load.
void call_atomic(llvm::Instruction &access, llvm::Value *pointer, llvm::Type *type, llvm::Value *stored) {
  llvm::IRBuilder<> ir(&access);
  const unsigned in = pointer->getType()->getPointerAddressSpace();
  const auto order = stored ? llvm::cast<llvm::StoreInst>(access).getOrdering()
                            : llvm::cast<llvm::LoadInst>(access).getOrdering();
  const llvm::StringRef letter = type->isIntegerTy(64) ? "m" : "j";
  const std::string name = stored ? fmt::format("_Z19__spirv_AtomicStorePU3AS{0}{1}jj{1}", in, letter.str())
                                  : fmt::format("_Z18__spirv_AtomicLoadPU3AS{0}{1}jj", in, letter.str());
  // The device, even where the program says the system: kernels and host share memory after the launch only.
  constexpr uint32_t device_scope = 1;
  llvm::SmallVector<llvm::Value *, 4> arguments{pointer, ir.getInt32(device_scope),
                                                ir.getInt32(semantics_of(order, in))};
  if (stored) arguments.push_back(stored);
  llvm::CallInst *call = call_builtin(ir, name, stored ? ir.getVoidTy() : type, arguments);
  if (!stored) access.replaceAllUsesWith(call);
  access.eraseFromParent();
}

/// Replaces all atomic loads and stores.
void call_atomic_accesses(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic())
        call_atomic(*load, load->getPointerOperand(), load->getType(), nullptr);
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
        call_atomic(*store, store->getPointerOperand(), store->getValueOperand()->getType(),
                    store->getValueOperand());
    }
}

} // namespace

void expand_atomics(llvm::Module &module) {
  std::vector<llvm::Instruction *> atomics;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isAtomic()) atomics.push_back(&instruction);
  for (llvm::Instruction *instruction : atomics) {
    if (auto *update = llvm::dyn_cast<RMW>(instruction)) {
      if (!is_native(*update)) expand(*update);
    } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(instruction)) {
      if (bits_of(*exchange, exchange->getCompareOperand()->getType()) < 32) expand(*exchange);
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      if (!load->getType()->isIntegerTy() || bits_of(*load, load->getType()) < 32) expand(*load);
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
      llvm::Type *type = store->getValueOperand()->getType();
      if (!type->isIntegerTy() || bits_of(*store, type) < 32) expand(*store);
    }
  }
  call_atomic_accesses(module);
}

} // namespace kiln::spirv
