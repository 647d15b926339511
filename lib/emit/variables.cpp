// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variables.h"

#include <algorithm>
#include <set>

namespace kiln {

bool is_named(const CodeInfo &code, uint32_t slot) {
  std::string_view name = code.slot_names[slot].text();
  return !name.empty() && name[0] != '#' && name != "_";
}

namespace {

constexpr uint32_t none = ~0u;

/// True for a copy that feeds a phi, possibly with a conversion.
bool is_joined(const Stmt &stmt) { return stmt.op == Op::Copy && stmt.flags & flags::Joined; }

/// True for a closure that captures reassigned variables. No single value represents it, since the SSA form
/// makes it again at each use.
bool is_shared_closure(const CodeInfo &code, Operand value) {
  if (value.kind != Operand::Kind::Ssa || code.stmts[value.index].op != Op::NewClosure) return false;
  return std::ranges::any_of(code.stmts[value.index].args, [&](Operand arg) {
    return arg.kind == Operand::Kind::Ssa && code.stmts[arg.index].op == Op::Cell;
  });
}

/// Copies lowered code and adds a marker after each assignment to a named variable: a call of constant
/// `marker` with the variable as its argument.
CodeInfo with_markers(TypeContext &types, const CodeInfo &code, uint32_t &marker) {
  CodeInfo marked = code;
  marker = uint32_t(marked.constants.size());
  marked.constants.push_back(types.nothing());
  std::vector<uint32_t> at(code.stmts.size() + 1); // new index of each statement
  marked.stmts.clear();
  marked.declarations.clear();
  for (uint32_t i = 0; i < code.stmts.size(); ++i) {
    at[i] = uint32_t(marked.stmts.size());
    if (i < code.declarations.size()) {
      marked.declarations.resize(marked.stmts.size());
      marked.declarations.push_back(code.declarations[i]);
    }
    const Stmt &stmt = marked.stmts.emplace_back(code.stmts[i]);
    if (stmt.op != Op::SetSlot || !is_named(code, stmt.slot) || is_shared_closure(code, stmt.args[0]))
      continue;
    const uint32_t slot = stmt.slot;
    const Span span = stmt.at;
    marked.stmts.push_back({.op = Op::Call,
                            .slot = slot,
                            .args = {{Operand::Kind::Const, marker}, Operand::slot(slot)},
                            .at = span});
  }
  for (Stmt &stmt : marked.stmts) {
    if (stmt.op == Op::Goto || stmt.op == Op::GotoIfNot) stmt.target = at[stmt.target];
    for (Operand &arg : stmt.args)
      if (arg.kind == Operand::Kind::Ssa) arg.index = at[arg.index];
  }
  return marked;
}

/// Maps each statement of the marked SSA form to the original one. The result is `none` for markers, and for
/// statements that only markers read.
std::vector<uint32_t> align(const SsaCode &marked, const SsaCode &ssa, const std::vector<bool> &is_marker) {
  std::vector<uint32_t> to(marked.stmts.size(), none);
  if (marked.blocks.size() != ssa.blocks.size()) return {};
  auto is_lazy = [](const Stmt &stmt) { return stmt.op == Op::Phi || stmt.op == Op::Pi || is_joined(stmt); };
  for (size_t b = 0; b < ssa.blocks.size(); ++b) {
    auto split = [&](const SsaCode &code, bool skip) {
      std::pair<std::vector<uint32_t>, std::vector<uint32_t>> parts; // phis and pis; other statements
      for (uint32_t s = code.blocks[b].begin; s < code.blocks[b].end; ++s)
        if (!skip || !is_marker[s]) (is_lazy(code.stmts[s]) ? parts.first : parts.second).push_back(s);
      return parts;
    };
    auto [lazy, body] = split(marked, true);
    auto [own_lazy, own_body] = split(ssa, false);
    if (body.size() != own_body.size()) return {};
    for (size_t i = 0; i < body.size(); ++i) {
      if (marked.stmts[body[i]].op != ssa.stmts[own_body[i]].op) return {};
      to[body[i]] = own_body[i];
    }
    if (lazy.size() ==
        own_lazy.size()) // otherwise some exist only for markers: leave the block's phis unmapped
      for (size_t i = 0; i < lazy.size(); ++i) to[lazy[i]] = own_lazy[i];
  }
  return to;
}

/// Finds the variable that each phi merges: a phi belongs to a variable if all its values do. 0: no variable.
std::vector<uint32_t> slots_of_phis(const SsaCode &ssa, const std::vector<Assignment> &assignments) {
  std::map<uint32_t, std::set<uint32_t>> slots_of; // by statement
  std::map<uint32_t, std::set<uint32_t>> slots_of_constant;
  for (const Assignment &a : assignments)
    if (a.value.kind == Operand::Kind::Ssa)
      slots_of[a.value.index].insert(a.slot);
    else if (a.value.kind == Operand::Kind::Const)
      slots_of_constant[a.value.index].insert(a.slot);
  std::vector<uint32_t> slot_of(ssa.stmts.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < ssa.stmts.size(); ++s) {
      if (ssa.stmts[s].op != Op::Phi || slot_of[s]) continue;
      std::optional<std::set<uint32_t>> common;
      for (Operand arg : ssa.stmts[s].args) {
        std::set<uint32_t> here;
        if (arg.kind == Operand::Kind::Ssa && is_joined(ssa.stmts[arg.index]))
          arg = ssa.stmts[arg.index].args[0];
        if (arg.kind == Operand::Kind::Slot && arg.index > 0)
          here = {arg.index};
        else if (arg.kind == Operand::Kind::Const)
          here = slots_of_constant[arg.index];
        else if (arg.kind == Operand::Kind::Ssa) {
          if (ssa.stmts[arg.index].op == Op::Phi && !slot_of[arg.index] && !slots_of.contains(arg.index))
            continue; // a phi without a result yet is compatible with any variable
          here = slots_of[arg.index];
          if (slot_of[arg.index]) here.insert(slot_of[arg.index]);
        }
        if (!common) {
          common = std::move(here);
        } else {
          std::set<uint32_t> both;
          std::ranges::set_intersection(*common, here, std::inserter(both, both.end()));
          common = std::move(both);
        }
      }
      if (common && common->size() == 1) {
        slot_of[s] = *common->begin();
        changed = true;
      }
    }
  }
  return slot_of;
}

} // namespace

Variables variables_of(TypeContext &types, const SsaCode &ssa) {
  Variables found;
  uint32_t marker = 0;
  const CodeInfo code = with_markers(types, *ssa.code, marker);
  const SsaCode marked = to_ssa(types, code, types.nothing());
  std::vector<bool> is_marker(marked.stmts.size());
  for (uint32_t s = 0; s < marked.stmts.size(); ++s) {
    const Stmt &stmt = marked.stmts[s];
    is_marker[s] =
        stmt.op == Op::Call && stmt.args[0].kind == Operand::Kind::Const && stmt.args[0].index == marker;
  }
  const std::vector<uint32_t> to = align(marked, ssa, is_marker);
  for (uint32_t s = 0; s < to.size(); ++s) {
    if (!is_marker[s]) continue;
    const Stmt &stmt = marked.stmts[s];
    found.declared_at.try_emplace(stmt.slot, stmt.at);
    Operand value = stmt.args[1];
    if (value.kind == Operand::Kind::Ssa) value.index = to[value.index];
    uint32_t next = s + 1; // exists, since a block ends with a terminator
    while (is_marker[next]) ++next;
    const bool is_own = value.kind == Operand::Kind::Const && value.index < ssa.code->constants.size();
    if (to[next] == none || !(is_own || value.kind == Operand::Kind::Slot ||
                              (value.kind == Operand::Kind::Ssa && value.index != none)))
      continue;
    found.assignments.push_back({to[next], stmt.slot, value, stmt.at});
  }
  found.slot_of_phi = slots_of_phis(ssa, found.assignments);
  return found;
}

} // namespace kiln
