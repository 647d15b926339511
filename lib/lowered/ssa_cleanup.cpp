// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ssa_builder.h"

namespace kiln {

Operand SsaBuilder::resolve(Operand operand) {
  Operand end = operand;
  while (end.kind == Operand::Kind::Ssa && replaced_[end.index] != end) end = replaced_[end.index];
  while (operand.kind == Operand::Kind::Ssa && operand != end) // path compression
    operand = std::exchange(replaced_[operand.index], end);
  return end;
}

// ---- simplify

/// Returns the only value that phi `id` merges, besides itself. None: it merges several values.
std::optional<Operand> SsaBuilder::trivial(uint32_t id) {
  const Operands &args = instructions_[id].stmt.args;
  std::optional<Operand> only;
  bool one = true;
  for (Operand arg : args) {
    if (arg == Operand::ssa(id) || arg == only) continue;
    one = !only;
    if (!one) break;
    only = arg;
  }
  if (one) return only;
  // Keep a phi that merges the two pis of one value. If one arm of the branch never ends (it throws), the
  // condition of the other arm holds after the join. Only inference can find that.
  return std::nullopt;
}

/// Replaces a phi of an `assigned` variable (2s+1) by true if no operand can be false. Handles phis that only
/// refer to each other around nested loops.
void SsaBuilder::settle_assigned(const std::vector<uint32_t> &phis) {
  std::vector<bool> may_be_false(instructions_.size(), false);
  auto is_assigned = [&](uint32_t id) {
    return instructions_[id].variable == assigned(instructions_[id].variable / 2);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t id : phis) {
      if (!is_assigned(id) || may_be_false[id]) continue;
      for (Operand arg : instructions_[id].stmt.args)
        if (arg.kind == Operand::Kind::Ssa ? may_be_false[arg.index] : arg == false_)
          may_be_false[id] = changed = true;
    }
  }
  for (uint32_t id : phis)
    if (is_assigned(id) && !may_be_false[id]) {
      replaced_[id] = boolean(true);
      instructions_[id].dead = true;
    }
}

void SsaBuilder::remove_trivial_phis() {
  std::vector<uint32_t> phis; // in block order, so that few iterations suffice
  for (const Block &block : blocks_) phis.insert(phis.end(), block.phis.begin(), block.phis.end());
  settle_assigned(phis);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t id : phis) {
      Instruction &phi = instructions_[id];
      if (phi.dead) continue;
      for (Operand &arg : phi.stmt.args) arg = resolve(arg);
      if (std::optional<Operand> value = trivial(id)) {
        replaced_[id] = *value;
        phi.dead = changed = true;
      }
    }
  }
  for (Instruction &instruction : instructions_)
    for (Operand &arg : instruction.stmt.args) arg = resolve(arg);
}

void SsaBuilder::remove_checks() {
  for (Instruction &instruction : instructions_) {
    Operands &args = instruction.stmt.args;
    const bool may_be_unassigned = instruction.stmt.op == Op::Cell && args.size() == 2;
    if (!instruction.is_check && !may_be_unassigned) continue;
    const Value *known = constant(args[1]);
    const bool is_assigned = known && known->low_bits() != 0;
    if (instruction.is_check)
      instruction.dead = is_assigned;
    else
      args = {is_assigned ? args[0] : Operand{}};
  }
}

/// Removes unused phis and pis, which have no side effects.
void SsaBuilder::remove_dead() {
  auto is_lazy = [](const Instruction &i) { return i.stmt.op == Op::Phi || i.stmt.op == Op::Pi; };
  std::vector<bool> live(instructions_.size(), false);
  std::vector<uint32_t> work;
  auto visit = [&](const Instruction &instruction) {
    for (Operand arg : instruction.stmt.args)
      if (arg.kind == Operand::Kind::Ssa && !live[arg.index] && is_lazy(instructions_[arg.index])) {
        live[arg.index] = true;
        work.push_back(arg.index);
      }
  };
  for (const Instruction &instruction : instructions_)
    if (!instruction.dead && !is_lazy(instruction)) visit(instruction);
  while (!work.empty()) {
    uint32_t id = work.back();
    work.pop_back();
    visit(instructions_[id]);
  }
  for (uint32_t id = 0; id < instructions_.size(); ++id)
    if (is_lazy(instructions_[id]) && !live[id]) instructions_[id].dead = true;
  for (Block &block : blocks_)
    for (auto *list : {&block.phis, &block.pis, &block.body})
      std::erase_if(*list, [&](uint32_t id) { return instructions_[id].dead; });
}

/// Adds a copy of each phi operand at the end of its edge. There inference can convert the value to the type
/// that a join rule gives the phi.
void SsaBuilder::copy_joined() {
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    for (size_t p = 0; p < blocks_[b].phis.size(); ++p) {
      const uint32_t phi = blocks_[b].phis[p];
      if (instructions_[phi].variable != value_of(instructions_[phi].variable / 2)) continue;
      for (size_t k = 0; k < instructions_[phi].stmt.args.size(); ++k) {
        const Operand value = instructions_[phi].stmt.args[k];
        if (!value) continue;
        std::vector<uint32_t> &body = blocks_[instructions_[phi].stmt.phi_blocks[k]].body;
        Span at = instructions_[body.back()].stmt.at;
        if (value.kind == Operand::Kind::Ssa && instructions_[value.index].stmt.op != Op::Phi)
          at = instructions_[value.index].stmt.at; // source position of the value, not of the jump
        const uint32_t terminator = body.back();
        body.pop_back();
        const uint32_t id = add(instructions_[phi].stmt.phi_blocks[k], body,
                                {.op = Op::Copy, .flags = flags::Joined, .args = {value}, .at = at});
        body.push_back(terminator);
        instructions_[phi].stmt.args[k] = Operand::ssa(id);
      }
    }
}

// ---- finish

/// Removes the blocks of split edges that contain neither a pi nor a copy.
void SsaBuilder::remove_empty_splits() {
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    Block &block = blocks_[b];
    if (!block.is_split || !block.pis.empty() || block.body.size() > 1) continue;
    uint32_t pred = block.preds[0], succ = block.succs[0];
    std::vector<uint32_t> &preds = blocks_[succ].preds;
    if (std::find(preds.begin(), preds.end(), pred) != preds.end()) continue;
    std::replace(preds.begin(), preds.end(), b, pred);
    std::replace(blocks_[pred].succs.begin(), blocks_[pred].succs.end(), b, succ);
    for (uint32_t phi : blocks_[succ].phis) {
      auto &from = instructions_[phi].stmt.phi_blocks;
      std::replace(from.begin(), from.end(), b, pred);
    }
    block.preds.clear();
    block.succs.clear();
  }
}

void SsaBuilder::finish() {
  std::vector<std::vector<uint32_t>> succs;
  for (const Block &block : blocks_) succs.push_back(block.succs);
  std::vector<uint32_t> order = reverse_post_order(succs), number(blocks_.size(), NoBlock);
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  auto renumber = [&](std::vector<uint32_t> list) {
    for (uint32_t &block : list) block = number[block];
    return list;
  };

  std::vector<uint32_t> index_of(instructions_.size(), 0);
  uint32_t count = 0;
  ssa_.blocks.resize(order.size());
  std::vector<std::vector<uint32_t>> preds;
  for (uint32_t i = 0; i < order.size(); ++i) {
    const Block &from = blocks_[order[i]];
    SsaBlock &to = ssa_.blocks[i];
    to.begin = count;
    for (const auto *list : {&from.phis, &from.pis, &from.body})
      for (uint32_t id : *list) index_of[id] = count++;
    to.end = count;
    to.preds = renumber(from.preds);
    to.succs = renumber(from.succs);
    to.is_loop_header =
        std::any_of(to.preds.begin(), to.preds.end(), [&](uint32_t pred) { return pred >= i; });
    preds.push_back(to.preds);
  }
  std::vector<uint32_t> idom = immediate_dominators(preds);
  ssa_.stmts.resize(count);
  ssa_.block_of.resize(count);
  if (declares_) ssa_.declarations.resize(count);
  for (uint32_t i = 0; i < order.size(); ++i) {
    const Block &from = blocks_[order[i]];
    ssa_.blocks[i].idom = idom[i];
    for (const auto *list : {&from.phis, &from.pis, &from.body})
      for (uint32_t id : *list) {
        Stmt &stmt = ssa_.stmts[index_of[id]];
        stmt = std::move(instructions_[id].stmt);
        for (Operand &arg : stmt.args)
          if (arg.kind == Operand::Kind::Ssa) arg.index = index_of[arg.index];
        stmt.phi_blocks = renumber(std::move(stmt.phi_blocks));
        if (stmt.op == Op::Goto) stmt.target = ssa_.blocks[i].succs[0];
        if (stmt.op == Op::GotoIfNot) stmt.target = ssa_.blocks[i].succs[1];
        ssa_.block_of[index_of[id]] = i;
        if (uint32_t declared = instructions_[id].declared)
          ssa_.declarations[index_of[id]] = declared_[declared - 1];
      }
  }
}

} // namespace kiln
