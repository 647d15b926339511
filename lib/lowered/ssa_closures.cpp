// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes closures over reassigned variables again where they are used. Compiled closures capture values, not
// variables. If such a closure is assigned once to a local variable, each read of that variable makes it
// again, with the present values of its captures. No Fresh (start of a new variable) of a captured variable
// may lie between the assignment and the read.
#include "captures.h"
#include "ssa_builder.h"

namespace kiln {

namespace {

bool is_capture_of_change(const Stmt &stmt) {
  return stmt.op == Op::Cell && !(stmt.flags & (flags::ByValue | flags::Outer));
}

} // namespace

void SsaBuilder::find_local_closures() {
  std::vector<uint32_t> closure_of(code_.slot_names.size(), NoBlock);
  std::vector<uint32_t> assignments(code_.slot_names.size(), 0);
  bool has_any = false;
  for (const Stmt &stmt : code_.stmts) {
    if (is_capture_of_change(stmt)) {
      has_any = true;
      if (!(stmt.flags & flags::Unchanged)) {
        shared_.resize(code_.slot_names.size());
        shared_[stmt.slot] = ssa_.shares_variables = true;
      }
    }
    if (stmt.op != Op::SetSlot) continue;
    ++assignments[stmt.slot];
    if (stmt.args[0].kind == Operand::Kind::Ssa && code_.stmts[stmt.args[0].index].op == Op::NewClosure)
      closure_of[stmt.slot] = stmt.args[0].index;
  }
  if (!has_any || declares_) return;
  for (uint32_t slot = code_.nargs; slot < code_.slot_names.size(); ++slot)
    if (assignments[slot] == 1 && closure_of[slot] != NoBlock) local_closures_[slot].made = closure_of[slot];
  // Drop closures that capture themselves through others, since making them again would not end. Decide on
  // the rest one by one.
  std::erase_if(local_closures_, [this, all = local_closures_](const auto &each) {
    std::set<uint32_t> captured;
    add_captured(all, each.second, captured);
    return captured.contains(each.first);
  });
  for (uint32_t slot = code_.nargs; slot < code_.slot_names.size(); ++slot)
    if (auto found = local_closures_.find(slot); found != local_closures_.end()) decide(slot, found->second);
  std::erase_if(local_closures_, [](const auto &each) { return each.second.kept_slots.empty(); });
  for (const auto &[slot, closure] : local_closures_) {
    if (!is_only_stored(closure.made)) continue;
    skipped_.resize(code_.stmts.size());
    skipped_[closure.made] = true;
    const Operands &args = code_.stmts[closure.made].args;
    for (size_t i = 1; i < args.size(); ++i)
      if (closure.kept_slots[i - 1] == read_again && is_only_stored(args[i].index))
        skipped_[args[i].index] = true;
  }
}

/// Adds the slots of local closures that `closure` captures, directly or through other closures.
void SsaBuilder::add_captured(const std::unordered_map<uint32_t, LocalClosure> &all,
                              const LocalClosure &closure, std::set<uint32_t> &into) const {
  for (Operand arg : code_.stmts[closure.made].args) {
    if (arg.kind != Operand::Kind::Ssa || code_.stmts[arg.index].op != Op::Cell) continue;
    const uint32_t slot = code_.stmts[arg.index].slot;
    if (auto found = all.find(slot); found != all.end() && into.insert(slot).second)
      add_captured(all, found->second, into);
  }
}

/// Sets closure.kept_slots. Leaves it empty if the closure must not be made again.
void SsaBuilder::decide(uint32_t slot, LocalClosure &closure) {
  if (std::exchange(closure.is_decided, true)) return;
  const Operands &args = code_.stmts[closure.made].args;
  std::vector<uint32_t> kept;
  bool reads_again = false;
  for (size_t i = 1; i < args.size(); ++i) {
    if (args[i].kind == Operand::Kind::Slot) return;
    const Stmt *cell = args[i].kind == Operand::Kind::Ssa ? &code_.stmts[args[i].index] : nullptr;
    bool again = cell && is_capture_of_change(*cell);
    if (again && is_stale(slot, cell->slot)) return;
    if (!again && cell && cell->op == Op::Cell && !(cell->flags & flags::Outer))
      if (auto nested = local_closures_.find(cell->slot); nested != local_closures_.end()) {
        decide(cell->slot, nested->second);
        again = !nested->second.kept_slots.empty() && !is_stale(slot, cell->slot);
      }
    kept.push_back(again ? read_again : uint32_t(code_.slot_names.size()) + added_slots_++);
    reads_again |= again;
  }
  if (reads_again) closure.kept_slots = std::move(kept);
}

/// True if a read of the closure in `slot` may come after a new variable replaced `captured` (Fresh).
bool SsaBuilder::is_stale(uint32_t slot, uint32_t captured) {
  StatementFlow flow(code_);
  std::vector<uint32_t> from, renewed;
  for (uint32_t i = 0; i < code_.stmts.size(); ++i)
    if (code_.stmts[i].op == Op::SetSlot && code_.stmts[i].slot == slot) from = flow.after(i);
  flow.walk(std::move(from), [&](uint32_t at) {
    if (code_.stmts[at].op == Op::Fresh && code_.stmts[at].slot == captured)
      for (uint32_t next : flow.after(at)) renewed.push_back(next);
    return true;
  });
  bool stale = false;
  flow.walk(std::move(renewed), [&](uint32_t at) {
    const Stmt &stmt = code_.stmts[at];
    stale |= reads_slot(stmt, slot);
    return !stale && !((stmt.op == Op::SetSlot || stmt.op == Op::Fresh) && stmt.slot == slot);
  });
  return stale;
}

bool SsaBuilder::is_only_stored(uint32_t statement) const {
  size_t uses = 0;
  for (const Stmt &stmt : code_.stmts) uses += size_t(std::ranges::count(stmt.args, Operand::ssa(statement)));
  return uses == 1;
}

Operand SsaBuilder::remake_closure(uint32_t block, const LocalClosure &closure) {
  const Stmt &made = code_.stmts[closure.made];
  Operands args{made.args[0]};
  for (size_t i = 0; i < closure.kept_slots.size(); ++i)
    args.push_back(closure.kept_slots[i] == read_again
                       ? capture(block, code_.stmts[made.args[i + 1].index], false)
                       : read(value_of(closure.kept_slots[i]), block));
  Stmt stmt = made;
  stmt.args = std::move(args);
  return Operand::ssa(add(block, blocks_[block].body, std::move(stmt)));
}

/// Stores the captured values in their added slots, where the closure is assigned.
void SsaBuilder::keep_captures(uint32_t block, const LocalClosure &closure) {
  const Operands &args = code_.stmts[closure.made].args;
  for (size_t i = 0; i < closure.kept_slots.size(); ++i)
    if (closure.kept_slots[i] != read_again)
      write(value_of(closure.kept_slots[i]), block, use(block, args[i + 1], code_.stmts[closure.made].at));
}

/// Returns the value of a captured variable. `at_closure`: true where the closure is first made, false where
/// it is made again.
Operand SsaBuilder::capture(uint32_t block, const Stmt &cell, bool at_closure) {
  const bool by_value = !is_capture_of_change(cell) || (cell.flags & flags::Unchanged);
  if (by_value) return use(block, Operand::slot(cell.slot), cell.at);
  Stmt stmt = cell;
  if (at_closure && !local_closure(cell.slot))
    stmt.args = {read(value_of(cell.slot), block),
                 cell.slot < code_.nargs ? boolean(true) : read(assigned(cell.slot), block)};
  else
    stmt.args = {use(block, Operand::slot(cell.slot), cell.at)};
  return Operand::ssa(add(block, blocks_[block].body, std::move(stmt)));
}

} // namespace kiln
