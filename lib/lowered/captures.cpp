// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "captures.h"

#include "cfg.h"

#include <algorithm>
#include <map>

namespace kiln {

StatementFlow::StatementFlow(const CodeInfo &code) : code_(code), seen_(code.stmts.size(), 0) {
  for (const Stmt &stmt : code.stmts)
    if (stmt.op == Op::Enter) handlers_.push_back(stmt.target);
}

void StatementFlow::add_successors(uint32_t statement, std::vector<uint32_t> &to) const {
  const Stmt &stmt = code_.stmts[statement];
  if (stmt.op == Op::Goto || stmt.op == Op::GotoIfNot) to.push_back(stmt.target);
  if (!is_terminator(stmt.op) || stmt.op == Op::GotoIfNot) to.push_back(statement + 1);
}

bool reads_slot(const Stmt &stmt, uint32_t slot) {
  if ((stmt.op == Op::IsDefined || stmt.op == Op::Cell) && stmt.slot == slot) return true;
  return std::ranges::find(stmt.args, Operand::slot(slot)) != stmt.args.end();
}

namespace {

class Settler {
public:
  explicit Settler(CodeInfo &code) : code_(code), flow_(code) {}

  void run() {
    std::vector<uint32_t> last_assignment(code_.slot_names.size(), 0);
    for (uint32_t i = 0; i < code_.stmts.size(); ++i) {
      const Stmt &stmt = code_.stmts[i];
      if (stmt.slot >= code_.slot_names.size()) continue; // the verifier reports it
      if (stmt.op == Op::Cell && !(stmt.flags & flags::Outer)) slots_[stmt.slot].cells.push_back(i);
      if (stmt.op == Op::Fresh) slots_[stmt.slot].fresh.push_back(i);
      if (stmt.op == Op::SetSlot) last_assignment[stmt.slot] = i;
    }
    find_lowest_targets();
    std::vector<bool> removed(code_.stmts.size(), false);
    for (auto &[slot, uses] : slots_) {
      uses.last_assignment = last_assignment[slot];
      settle(slot, uses);
      for (uint32_t fresh : uses.fresh) removed[fresh] = !has_effect(slot, uses, fresh);
    }
    remove(removed);
  }

private:
  struct Uses {
    std::vector<uint32_t> cells, fresh;
    uint32_t last_assignment = 0; ///< in statement order
  };
  bool is(uint32_t index, Op op, uint32_t slot) const {
    return code_.stmts[index].op == op && code_.stmts[index].slot == slot;
  }

  void find_lowest_targets() {
    uint32_t lowest = uint32_t(code_.stmts.size());
    for (const Stmt &stmt : code_.stmts) // any statement may throw and jump to any handler
      if (stmt.op == Op::Enter) lowest = std::min(lowest, stmt.target);
    lowest_target_.assign(code_.stmts.size() + 1, lowest);
    for (size_t i = code_.stmts.size(); i-- > 0;) {
      const Stmt &stmt = code_.stmts[i];
      if (stmt.op == Op::Goto || stmt.op == Op::GotoIfNot) lowest = std::min(lowest, stmt.target);
      lowest_target_[i] = lowest;
    }
  }

  /// Returns a statement index: no statement before it can be reached from `statement`. Needs no walk over
  /// the code.
  uint32_t first_after(uint32_t statement) const {
    uint32_t first = std::min(statement + 1, uint32_t(code_.stmts.size()));
    while (lowest_target_[first] < first) first = lowest_target_[first];
    return first;
  }

  bool is_assigned_after(uint32_t cell, uint32_t slot, const Uses &uses) {
    if (uses.last_assignment < first_after(cell)) return false;
    bool found = false;
    flow_.walk(flow_.after(cell), [&](uint32_t at) {
      found |= is(at, Op::SetSlot, slot);
      return !found && !is(at, Op::Fresh, slot);
    });
    return found;
  }

  void settle(uint32_t slot, const Uses &uses) {
    std::vector<bool> is_maybe_unassigned;
    if (slot >= code_.nargs && !uses.cells.empty()) {
      is_maybe_unassigned.resize(code_.stmts.size());
      std::vector<uint32_t> starts{0};
      for (uint32_t fresh : uses.fresh)
        for (uint32_t next : flow_.after(fresh)) starts.push_back(next);
      flow_.walk(std::move(starts), [&](uint32_t at) {
        is_maybe_unassigned[at] = true;
        return !is(at, Op::SetSlot, slot);
      });
    }
    for (uint32_t cell : uses.cells) {
      Stmt &stmt = code_.stmts[cell];
      if (stmt.flags & flags::AssignedInside || is_assigned_after(cell, slot, uses)) continue;
      const bool maybe_unassigned = !is_maybe_unassigned.empty() && is_maybe_unassigned[cell];
      stmt.flags |= maybe_unassigned ? flags::Unchanged : flags::ByValue;
    }
  }

  /// True if the Fresh statement `fresh` (a new variable for `slot`) has an effect. It has one if a closure
  /// captured the old variable, or if the new one is read before assignment.
  bool has_effect(uint32_t slot, const Uses &uses, uint32_t fresh) {
    bool matters = !uses.cells.empty();
    if (!matters)
      flow_.walk(flow_.after(fresh), [&](uint32_t at) {
        matters |= reads_slot(code_.stmts[at], slot);
        return !matters && !is(at, Op::SetSlot, slot) && !is(at, Op::Fresh, slot);
      });
    if (!matters) return false;
    bool has_old = false;
    std::vector<uint32_t> starts;
    for (uint32_t i = 0; i < code_.stmts.size(); ++i)
      if (is(i, Op::SetSlot, slot) || is(i, Op::Cell, slot))
        for (uint32_t next : flow_.after(i)) starts.push_back(next);
    flow_.walk(std::move(starts), [&](uint32_t at) {
      has_old |= at == fresh;
      return !has_old && !is(at, Op::Fresh, slot);
    });
    return has_old;
  }

  void remove(const std::vector<bool> &removed) {
    if (std::ranges::find(removed, true) == removed.end()) return;
    std::vector<uint32_t> index(removed.size() + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < removed.size(); ++i) {
      index[i] = count;
      if (removed[i]) continue;
      if (i != count) code_.stmts[count] = std::move(code_.stmts[i]);
      if (i < code_.declarations.size()) code_.declarations[count] = code_.declarations[i];
      ++count;
    }
    index[removed.size()] = count;
    code_.stmts.resize(count);
    if (code_.declarations.size() > count) code_.declarations.resize(count);
    for (Stmt &stmt : code_.stmts) {
      if ((stmt.op == Op::Goto || stmt.op == Op::GotoIfNot || stmt.op == Op::Enter) &&
          stmt.target < index.size())
        stmt.target = index[stmt.target];
      for (Operand &arg : stmt.args)
        if (arg.kind == Operand::Kind::Ssa && arg.index < index.size()) arg.index = index[arg.index];
    }
  }

  CodeInfo &code_;
  StatementFlow flow_;
  std::vector<uint32_t> lowest_target_; ///< by statement: lowest target of all jumps from there on
  std::map<uint32_t, Uses> slots_;
};

} // namespace

void settle_captures(CodeInfo &code) {
  const bool has_any = std::ranges::any_of(
      code.stmts, [](const Stmt &stmt) { return stmt.op == Op::Cell || stmt.op == Op::Fresh; });
  if (has_any) Settler(code).run();
}

} // namespace kiln
