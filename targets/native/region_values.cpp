// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "region_values.h"

#include "inner_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::native {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

namespace {

/// Maximum number of instructions that recompute one value.
constexpr unsigned RebuildBudget = 24;

bool is_cheap(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FDiv:
  case Instruction::FRem: return false;
  default:
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst,
                     llvm::SelectInst, llvm::ExtractValueInst, llvm::InsertValueInst>(instruction);
  }
}

} // namespace

void RegionValues::place() {
  for (unsigned i = 0; i < regions_.size(); ++i) {
    for (const auto *blocks : {&regions_[i].plan.blocks, &regions_[i].dead_ends})
      for (BasicBlock *block : *blocks) owners_[block] = i;
    owners_[regions_[i].loop.head] = i;
  }
  hoist();
  keep_arrays();
  lower_phis();
  store_decisions();
  // Find all replacements before changing a use: recomputed values are copies of the original instructions.
  std::vector<std::pair<llvm::Use *, Value *>> replaced;
  for (unsigned i = 0; i < regions_.size(); ++i) {
    connect(i, replaced);
    guards_.push_back(guard_ && i > 0 ? value_in(i, guard_) : nullptr);
  }
  for (auto &[use, value] : replaced) use->set(value);
  for (llvm::AllocaInst *array : array_order_) array->eraseFromParent();
  for (LoopedRegion &region : regions_)
    for (llvm::PHINode &phi : llvm::make_early_inc_range(region.plan.entry()->phis()))
      if (lowered_.count(&phi)) phi.eraseFromParent();
}

bool RegionValues::is_outer(const Value *value, const Known &hoisted) const {
  if (llvm::isa<Instruction>(value)) return hoisted.count(value);
  return !is_thread_index(*value);
}

bool RegionValues::can_hoist(const Instruction &instruction, const Known &hoisted) const {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator() ||
      instruction.getType()->isVoidTy())
    return false;
  if (instruction.mayReadOrWriteMemory() && !is_invariant_load(instruction)) return false;
  return llvm::all_of(instruction.operands(), [&](const llvm::Use &use) { return is_outer(use, hoisted); }) &&
         llvm::isSafeToSpeculativelyExecute(&instruction);
}

/// True if all edges from one region carry the same value to the phi. Each region will have one outgoing
/// edge, so that the value cannot depend on the block that left the region.
bool RegionValues::has_one_value_a_region(const llvm::PHINode &phi) const {
  std::map<unsigned, const Value *> values; // never iterated
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const unsigned from = owners_.at(phi.getIncomingBlock(i));
    if (values.try_emplace(from, phi.getIncomingValue(i)).first->second != phi.getIncomingValue(i))
      return false;
  }
  return true;
}

void RegionValues::hoist() {
  // A phi at a region's entry stays outside of the loops over threads if all its incoming values are outside.
  std::vector<llvm::PHINode *> phis;
  for (unsigned i = 1; i < regions_.size(); ++i)
    for (llvm::PHINode &phi : regions_[i].plan.entry()->phis())
      if (uniformity_->is_uniform(phi)) phis.push_back(&phi);
  std::vector<Instruction *> order;
  for (size_t count = SIZE_MAX; count != phis.size();) {
    count = phis.size();
    hoisted_ = Known(phis.begin(), phis.end());
    order.clear();
    for (bool grew = true; grew;) {
      grew = false;
      for (LoopedRegion &region : regions_)
        for (BasicBlock *block : region.plan.blocks)
          for (Instruction &instruction : *block)
            if (!hoisted_.count(&instruction) && can_hoist(instruction, hoisted_)) {
              hoisted_.insert(&instruction);
              order.push_back(&instruction);
              grew = true;
            }
    }
    llvm::erase_if(phis, [&](llvm::PHINode *phi) {
      return !has_one_value_a_region(*phi) ||
             !llvm::all_of(phi->incoming_values(),
                           [&](const llvm::Use &use) { return is_outer(use, hoisted_); });
    });
  }
  for (llvm::PHINode *phi : phis) {
    BasicBlock *begin = regions_[owner(*phi)].loop.begin;
    // Regions already handled: several edges from a region become the one edge after its loop.
    std::set<unsigned> seen;
    for (unsigned i = 0; i < phi->getNumIncomingValues();) {
      const unsigned from = owners_.at(phi->getIncomingBlock(i));
      if (!seen.insert(from).second && !regions_[from].plan.decides) {
        phi->removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
        continue;
      }
      phi->setIncomingBlock(i++, regions_[from].loop.end);
    }
    phi->moveBefore(*begin, begin->getFirstNonPHIIt());
  }
  for (Instruction *instruction : order)
    instruction->moveBefore(regions_[owner(*instruction)].loop.begin->getTerminator());
}

unsigned RegionValues::owner(const Instruction &instruction) const {
  return owners_.at(instruction.getParent());
}

void RegionValues::keep_arrays() {
  for (Instruction &instruction : *regions_.front().plan.entry())
    if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) array_order_.push_back(array);
  for (llvm::AllocaInst *array : array_order_) {
    const llvm::DataLayout &layout = array->getDataLayout();
    arrays_[array] = contexts_.add(layout.getTypeAllocSize(array->getAllocatedType()).getFixedValue() *
                                       llvm::cast<llvm::ConstantInt>(array->getArraySize())->getZExtValue(),
                                   array->getAlign());
    for (llvm::User *user : llvm::make_early_inc_range(array->users()))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user); call && call->isLifetimeStartOrEnd())
        call->eraseFromParent();
  }
}

/// Lowers the other phis at region entries: each predecessor region stores its incoming value in an array.
void RegionValues::lower_phis() {
  for (unsigned i = 1; i < regions_.size(); ++i) {
    const LoopedRegion &region = regions_[i];
    for (llvm::PHINode &phi : llvm::make_early_inc_range(region.plan.entry()->phis())) {
      const Contexts::Slot slot = contexts_.add(phi.getType());
      const std::set<unsigned> reads = readers(phi);
      // A region that may branch to the phi's region or past it stores the incoming value in both cases. If
      // the old value can still be read afterwards, the incoming value gets an array of its own, and the
      // phi's region copies it.
      const bool apart = llvm::any_of(
          phi.blocks(), [&](const BasicBlock *from) { return overwrites(owners_.at(from), reads, i); });
      const Contexts::Slot handed = apart ? contexts_.add(phi.getType()) : slot;
      std::set<BasicBlock *> seen; // never iterated
      for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
        BasicBlock *from = phi.getIncomingBlock(k);
        if (!seen.insert(from).second) continue;
        auto *value = llvm::dyn_cast<Instruction>(phi.getIncomingValue(k));
        if (value && !apart && can_share(phi, reads, i, *value, owners_.at(from), slot)) {
          stored_slot(*value, slot);
          continue;
        }
        llvm::IRBuilder<> ir(from->getTerminator());
        contexts_.store(ir, handed, regions_[owners_.at(from)].loop.linear, phi.getIncomingValue(k));
      }
      if (apart) {
        llvm::IRBuilder<> ir(region.loop.head);
        Value *value = contexts_.load(ir, handed, region.loop.linear, phi.getType());
        contexts_.store(ir, slot, region.loop.linear, value);
        values_[{i, &phi}] = value;
      }
      lowered_[&phi] = slot; // all regions load it from there, including the phi's own
    }
  }
}

/// Regions that would load the value if it were in memory. A phi loads it at the end of its predecessor
/// region. A region that recomputes a user of the value loads the value too.
std::set<unsigned> RegionValues::readers(const Instruction &value) const {
  std::set<unsigned> found;                // never iterated
  std::set<const Value *> reached{&value}; // likewise
  std::vector<const Value *> rebuilt{&value};
  while (!rebuilt.empty()) {
    const Value *next = rebuilt.back();
    rebuilt.pop_back();
    for (const llvm::Use &use : next->uses()) {
      auto *user = llvm::cast<Instruction>(use.getUser());
      auto *joined = llvm::dyn_cast<llvm::PHINode>(user);
      if (auto at = owners_.find(joined ? joined->getIncomingBlock(use) : user->getParent());
          at != owners_.end())
        found.insert(at->second);
      if (is_cheap(*user) && reached.insert(user).second) rebuilt.push_back(user);
    }
  }
  return found;
}

/// True if a store in region `writer` could overwrite a value that one of the regions `readers` still reads.
/// Region `made` defines that value anew.
bool RegionValues::overwrites(unsigned writer, const std::set<unsigned> &readers, unsigned made) const {
  std::set<unsigned> reached{made}; // never iterated
  std::vector<unsigned> pending{writer};
  while (!pending.empty()) {
    const unsigned at = pending.back();
    pending.pop_back();
    for (BasicBlock *block : regions_[at].plan.blocks)
      for (BasicBlock *next : llvm::successors(block)) {
        auto found = owners_.find(next);
        if (found == owners_.end() || next != regions_[found->second].plan.entry() ||
            !reached.insert(found->second).second)
          continue;
        if (readers.count(found->second)) return true;
        pending.push_back(found->second);
      }
  }
  return false;
}

/// True if the value can be stored in the phi's array where it is defined, possibly in a region before the
/// phi's predecessor. No store to the array may overwrite a value that is still read.
bool RegionValues::can_share(const llvm::PHINode &phi, const std::set<unsigned> &phi_readers, unsigned region,
                             const Instruction &value, unsigned from, Contexts::Slot slot) const {
  if (hoisted_.count(&value) || llvm::isa<llvm::AllocaInst>(value) || lowered_.count(&value) ||
      kept_.count(&value) || !owners_.count(value.getParent()))
    return false;
  const unsigned made = owner(value);
  unsigned budget = RebuildBudget;
  if (made == from || (llvm::isa<llvm::PHINode>(value) && value.getParent() == regions_[made].plan.entry()) ||
      can_rebuild(const_cast<Instruction *>(&value), budget))
    return false;
  if (overwrites(made, phi_readers, region)) return false;
  const std::set<unsigned> reads = readers(value);
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    if (phi.getIncomingValue(k) == &value) continue;
    unsigned writer = owners_.at(phi.getIncomingBlock(k));
    auto *other = llvm::dyn_cast<Instruction>(phi.getIncomingValue(k));
    if (auto shared = other ? kept_.find(other) : kept_.end();
        shared != kept_.end() && shared->second == slot) {
      writer = owner(*other);
      if (overwrites(made, readers(*other), writer)) return false;
    }
    if (overwrites(writer, reads, made)) return false;
  }
  return true;
}

/// Finds the region's uses of values from other regions, and their replacements.
void RegionValues::connect(unsigned region, std::vector<std::pair<llvm::Use *, Value *>> &replaced) {
  std::vector<Instruction *> instructions;
  for (const auto *blocks : {&regions_[region].plan.blocks, &regions_[region].dead_ends})
    for (BasicBlock *block : *blocks)
      for (Instruction &instruction : *block) instructions.push_back(&instruction);
  for (Instruction *instruction : instructions) {
    // Skip the region's last branch, which moves outside of the loop: see decision().
    if ((regions_[region].plan.decides == instruction->getParent() && instruction->isTerminator()) ||
        llvm::isa<llvm::AllocaInst>(instruction))
      continue;
    if (lowered_.count(instruction)) // predecessor regions stored the value
      continue;
    for (llvm::Use &use : instruction->operands())
      if (Value *value = value_in(region, use); value != use) replaced.push_back({&use, value});
  }
}

Value *RegionValues::value_in(unsigned region, Value *value) {
  ThreadLoop &loop = regions_[region].loop;
  if (is_thread_index(*value)) {
    Value *axes[] = {loop.x, loop.y, loop.z};
    return axes[llvm::cast<llvm::Argument>(value)->getArgNo() - ThreadParameter];
  }
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  auto *array = llvm::dyn_cast<llvm::AllocaInst>(value);
  if (!instruction || hoisted_.count(value) || (array && !arrays_.count(array))) return value;
  auto lowered = lowered_.find(value);
  if (!array && lowered == lowered_.end() &&
      (!owners_.count(instruction->getParent()) || owner(*instruction) == region))
    return value;
  Value *&found = values_[{region, value}];
  if (found) return found;
  llvm::IRBuilder<> ir(loop.head);
  if (array) return found = contexts_.address(ir, arrays_.at(array), loop.linear);
  if (lowered != lowered_.end())
    return found = contexts_.load(ir, lowered->second, loop.linear, value->getType());
  if (unsigned budget = RebuildBudget; can_rebuild(value, budget)) {
    Instruction *copy = instruction->clone();
    for (llvm::Use &use : copy->operands()) use.set(value_in(region, use));
    copy->insertInto(loop.head, loop.head->end());
    return found = copy;
  }
  const Contexts::Slot slot = stored_slot(*instruction);
  return found = contexts_.load(ir, slot, loop.linear, value->getType());
}

bool RegionValues::can_rebuild(Value *value, unsigned &budget) const {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || hoisted_.count(value) || llvm::isa<llvm::AllocaInst>(instruction) ||
      lowered_.count(value))
    return true;
  // A value that is stored in a phi's array must be loaded, not recomputed: its operands may include the phi,
  // whose value it has overwritten.
  if (budget == 0 || kept_.count(instruction) || !is_cheap(*instruction)) return false;
  --budget;
  return llvm::all_of(instruction->operands(),
                      [&](const llvm::Use &use) { return can_rebuild(use, budget); });
}

/// Returns the array of a value, and emits the store of the value right after its definition.
Contexts::Slot RegionValues::stored_slot(Instruction &value, std::optional<Contexts::Slot> slot) {
  auto [found, added] = kept_.try_emplace(&value);
  if (!added) return found->second;
  found->second = slot ? *slot : contexts_.add(value.getType());
  const ThreadLoop &loop = regions_[owner(value)].loop;
  BasicBlock *block = value.getParent();
  llvm::IRBuilder<> ir(value.getContext());
  if (llvm::isa<llvm::PHINode>(value))
    ir.SetInsertPoint(block, block->getFirstInsertionPt());
  else
    ir.SetInsertPoint(block, std::next(value.getIterator()));
  contexts_.store(ir, found->second, loop.linear, &value);
  return found->second;
}

/// Stores uniform branch conditions that regions compute in variables. The last thread's value remains;
/// kiln.any combines the values of all threads.
void RegionValues::store_decisions() {
  for (LoopedRegion &region : regions_) {
    Instruction *end = region.plan.decides ? region.plan.decides->getTerminator() : nullptr;
    if (!end || end->getNumOperands() < 2 || is_outer(end->getOperand(0), hoisted_)) continue;
    Value *condition = end->getOperand(0);
    llvm::IRBuilder<> ir(&slots_at_);
    const bool any = is_any_thread(condition);
    llvm::Type *type = any ? ir.getInt32Ty() : condition->getType();
    llvm::AllocaInst *slot = ir.CreateAlloca(type, nullptr, "decision");
    decisions_[region.plan.decides] = slot;
    ir.SetInsertPoint(end);
    if (!any) {
      ir.CreateStore(condition, slot);
      continue;
    }
    auto *call = llvm::cast<llvm::CallInst>(condition);
    ir.CreateStore(ir.CreateOr(ir.CreateLoad(type, slot), ir.CreateZExt(call->getArgOperand(0), type)), slot);
    end->setOperand(0, ir.getFalse()); // placeholder, replaced by decision()
    call->eraseFromParent();
    ir.SetInsertPoint(region.loop.begin->getTerminator());
    ir.CreateStore(llvm::ConstantInt::get(type, 0), slot);
  }
}

Value *RegionValues::decision(const Region &region, llvm::IRBuilder<> &ir) const {
  Value *condition = region.decides->getTerminator()->getOperand(0);
  auto found = decisions_.find(region.decides);
  if (found == decisions_.end()) return condition;
  llvm::Type *type = found->second->getAllocatedType();
  Value *left = ir.CreateLoad(type, found->second);
  return type == condition->getType() ? left : ir.CreateIsNotNull(left);
}

} // namespace kiln::native
