// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ssa.h"

#include "narrowing.h"
#include "ssa_builder.h"

namespace kiln {

SsaCode to_ssa(TypeContext &types, const CodeInfo &code, const Value &throw_undef_var) {
  return SsaBuilder(types, code, throw_undef_var).run();
}

SsaCode SsaBuilder::run() {
  find_local_closures();
  make_blocks();
  result_of_.resize(code_.stmts.size());
  for (uint32_t block = 0; block < blocks_.size(); ++block) rename(block);
  fill_phis();
  remove_trivial_phis();
  remove_checks();
  remove_dead();
  if (code_.hints.join) copy_joined();
  remove_empty_splits();
  finish();
  return std::move(ssa_);
}

// ---- split

bool SsaBuilder::may_narrow(Operand condition) const {
  // The variable's value, which may be a narrowing call, is known only after renaming.
  if (condition.kind == Operand::Kind::Slot) return true;
  while (condition.kind == Operand::Kind::Ssa) {
    const Stmt &stmt = code_.stmts[condition.index];
    if (stmt.op == Op::Copy)
      condition = stmt.args[0];
    else if (stmt.op == Op::Call && condition_kind(code_, stmt) == ConditionKind::Not)
      condition = stmt.args[1];
    else
      return stmt.op == Op::Call && condition_kind(code_, stmt) != ConditionKind::None;
    if (condition.kind == Operand::Kind::Slot) return true;
  }
  return false;
}

/// Makes the blocks of the SSA form from flat code, in reverse post-order. If a branch may need pis, both of
/// its targets get a single predecessor, by splitting edges. Edges are also split if both lead to the same
/// block.
void SsaBuilder::make_blocks() {
  FlowGraph graph = flow_graph(code_);
  const bool add_entry = !graph.blocks[0].preds.empty();
  const uint32_t first = add_entry ? 1 : 0;
  std::vector<std::vector<uint32_t>> succs(graph.blocks.size() + first);
  std::vector<Block> made(graph.blocks.size() + first);
  if (add_entry) succs[0] = {1};
  std::vector<uint32_t> split_from(made.size(), NoBlock);
  for (uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const FlowBlock &flat = graph.blocks[b];
    made[b + first].begin = flat.begin;
    made[b + first].end = flat.end;
    const Stmt &last = code_.stmts[flat.end - 1];
    std::vector<uint32_t> targets;
    for (uint32_t succ : flat.succs) targets.push_back(succ + first);
    if (last.op == Op::GotoIfNot) {
      const bool same = targets[0] == targets[1];
      // A join rule may need a conversion on this edge alone.
      const bool narrows = code_.hints.join || may_narrow(last.args[0]);
      for (size_t way = 0; way < 2; ++way) {
        uint32_t target = targets[way];
        size_t preds = graph.blocks[target - first].preds.size() + (add_entry && target == 1 ? 1 : 0);
        if (preds < 2 || !(narrows || (same && way == 1))) continue;
        made.push_back({.is_split = true});
        split_from.push_back(flat.end - 1);
        succs.push_back({target});
        targets[way] = uint32_t(made.size() - 1);
      }
    }
    succs[b + first] = std::move(targets);
  }
  std::vector<uint32_t> order = reverse_post_order(succs), number(made.size());
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  blocks_.resize(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    uint32_t old = order[i];
    Block &block = blocks_[i];
    block.begin = made[old].begin;
    block.end = made[old].end;
    block.is_split = made[old].is_split;
    for (uint32_t succ : succs[old]) {
      block.succs.push_back(number[succ]);
      blocks_[number[succ]].preds.push_back(i);
    }
    if (block.begin == block.end) block.begin = block.end = split_from[old] == NoBlock ? 0 : split_from[old];
  }
}

// ---- rename

uint32_t SsaBuilder::add(uint32_t block, std::vector<uint32_t> &list, Stmt stmt) {
  uint32_t id = uint32_t(instructions_.size());
  instructions_.push_back({.stmt = std::move(stmt), .block = block});
  replaced_.push_back(Operand::ssa(id));
  list.push_back(id);
  return id;
}

Operand SsaBuilder::extra_constant(Value value) {
  ssa_.extra_constants.push_back(std::move(value));
  return {Operand::Kind::Const, uint32_t(code_.constants.size() + ssa_.extra_constants.size() - 1)};
}

Operand SsaBuilder::boolean(bool value) {
  Operand &operand = value ? true_ : false_;
  if (!operand) operand = extra_constant(types_.boolean(value));
  return operand;
}

const Value *SsaBuilder::constant(Operand operand) const {
  return operand.kind == Operand::Kind::Const ? &ssa_.constant(operand.index) : nullptr;
}

Operand SsaBuilder::initial(uint32_t variable) {
  uint32_t slot = variable / 2;
  const bool is_argument = slot < code_.nargs;
  if (variable == assigned(slot)) return boolean(is_argument);
  return is_argument ? Operand::slot(slot) : Operand{};
}

/// Returns the value of a variable at the end of a block. If no statement in the block assigns it, uses the
/// value from the only predecessor. With several predecessors, adds a phi; fill_phis() sets its operands
/// later.
Operand SsaBuilder::read(uint32_t variable, uint32_t block) {
  std::vector<uint32_t> passed;
  Operand value;
  for (uint32_t at = block;;) {
    if (auto found = defs_.find(key(variable, at)); found != defs_.end()) {
      value = found->second;
      break;
    }
    passed.push_back(at);
    Block &here = blocks_[at];
    if (here.preds.size() == 1) {
      at = here.preds[0];
      continue;
    }
    if (here.preds.empty()) {
      value = initial(variable);
    } else {
      Stmt phi{.op = Op::Phi, .at = here.begin < code_.stmts.size() ? code_.stmts[here.begin].at : Span{}};
      uint32_t id = add(at, here.phis, std::move(phi));
      instructions_[id].variable = variable;
      if (variable == value_of(variable / 2)) declare_slot(id, variable / 2);
      unfilled_.push_back(id);
      value = Operand::ssa(id);
    }
    break;
  }
  for (uint32_t at : passed) write(variable, at, value);
  return value;
}

void SsaBuilder::declare(uint32_t id, const SsaDeclaration &declared) {
  if (!declared.type && !declared.method) return;
  declared_.push_back(declared);
  instructions_[id].declared = uint32_t(declared_.size());
}

/// Declares that instruction `id` computes the value of the variable in `slot`.
void SsaBuilder::declare_slot(uint32_t id, uint32_t slot) {
  if (slot < code_.slot_types.size()) declare(id, {{.type = code_.slot_types[slot]}, slot});
}

/// Converts an operand of flat code to an SSA operand. If the operand reads a variable that may be
/// unassigned, adds a check before it. remove_checks() later removes checks that always succeed.
Operand SsaBuilder::use(uint32_t block, Operand flat, Span at) {
  if (flat.kind == Operand::Kind::Ssa) return result_of_[flat.index];
  if (flat.kind != Operand::Kind::Slot) return flat;
  if (flat.index >= code_.nargs) {
    Operand condition = read(assigned(flat.index), block);
    const Value *known = constant(condition);
    if (!known || known->low_bits() == 0) {
      if (!throw_operand_) throw_operand_ = extra_constant(throw_undef_var_);
      Operand name = extra_constant(Value::symbol(types_, code_.slot_names[flat.index]));
      uint32_t id = add(block, blocks_[block].body,
                        {.op = Op::Call, .args = {throw_operand_, condition, name}, .at = at});
      instructions_[id].is_check = true;
      write(assigned(flat.index), block, boolean(true)); // true after the check
    }
  }
  if (const LocalClosure *closure = local_closure(flat.index)) return remake_closure(block, *closure);
  return read(value_of(flat.index), block);
}

void SsaBuilder::rename(uint32_t block) {
  Block &here = blocks_[block];
  const bool is_empty = here.begin == here.end;
  if (!is_empty)
    for (uint32_t i = here.begin; i < here.end; ++i) rename_statement(block, i);
  if (is_empty || !is_terminator(code_.stmts[here.end - 1].op)) {
    Span at = here.begin < code_.stmts.size() ? code_.stmts[is_empty ? here.begin : here.end - 1].at : Span{};
    add(block, here.body, {.op = Op::Goto, .at = at});
  }
}

void SsaBuilder::rename_statement(uint32_t block, uint32_t index) {
  const Stmt &flat = code_.stmts[index];
  Block &here = blocks_[block];
  if (!skipped_.empty() && skipped_[index]) return;
  if (flat.op == Op::SetSlot)
    if (const LocalClosure *closure = local_closure(flat.slot)) {
      keep_captures(block, *closure);
      write(assigned(flat.slot), block, boolean(true));
      mark(block, flat);
      return;
    }
  Operands args;
  args.reserve(flat.args.size());
  for (Operand operand : flat.args) args.push_back(use(block, operand, flat.at));
  auto keep = [&] {
    Stmt stmt = flat;
    stmt.args = std::move(args);
    uint32_t id = add(block, here.body, std::move(stmt));
    if (flat.op == Op::Return)
      declare(id, {{.type = code_.result_type}});
    else if (index < code_.declarations.size())
      declare(id, {code_.declarations[index]});
    return id;
  };
  // A global may be undefined, and a static parameter unbound: read both at this statement.
  auto value_now = [&](Operand value) {
    if (value.kind == Operand::Kind::Global || value.kind == Operand::Kind::StaticParam)
      return Operand::ssa(add(block, here.body, {.op = Op::Copy, .args = {value}, .at = flat.at}));
    return value;
  };
  switch (flat.op) {
  case Op::Copy: result_of_[index] = declares_ ? Operand::ssa(keep()) : value_now(args[0]); break;
  case Op::SetSlot:
    if (declares_) {
      uint32_t id = add(block, here.body, {.op = Op::Copy, .args = std::move(args), .at = flat.at});
      declare_slot(id, flat.slot);
      write(value_of(flat.slot), block, Operand::ssa(id));
    } else {
      write(value_of(flat.slot), block, value_now(args[0]));
    }
    write(assigned(flat.slot), block, boolean(true));
    mark(block, flat);
    break;
  case Op::HostOnly: { // the rest is not compiled
    const uint32_t id = keep();
    instructions_[id].stmt.op = Op::Call;
    break;
  }
  case Op::Enter:
  case Op::Leave: break;
  case Op::Fresh:
    write(value_of(flat.slot), block, {});
    write(assigned(flat.slot), block, boolean(false));
    mark(block, flat);
    break;
  case Op::Exception: result_of_[index] = boolean(false); break;
  case Op::Cell: result_of_[index] = capture(block, flat, true); break;
  case Op::IsDefined: result_of_[index] = read(assigned(flat.slot), block); break;
  case Op::GotoIfNot: {
    Operand condition = args[0];
    keep();
    branch_pis(block, condition, flat.at);
    break;
  }
  default: result_of_[index] = Operand::ssa(keep()); break;
  }
}

/// Keeps a SetSlot or Fresh statement of a variable that closures share, but without its value.
void SsaBuilder::mark(uint32_t block, const Stmt &flat) {
  if (!shared_.empty() && shared_[flat.slot])
    add(block, blocks_[block].body, {.op = flat.op, .slot = flat.slot, .at = flat.at});
}

// ---- pis

void SsaBuilder::branch_pis(uint32_t block, Operand condition, Span at) {
  bool when = true;
  for (int depth = 0; depth < 64 && condition.kind == Operand::Kind::Ssa; ++depth) {
    const Stmt &stmt = instructions_[condition.index].stmt;
    if (stmt.op != Op::Call) return;
    ConditionKind kind = condition_kind(code_, stmt);
    if (kind == ConditionKind::None) return;
    if (kind == ConditionKind::Not) {
      condition = stmt.args[1];
      when = !when;
      continue;
    }
    const size_t narrowed = kind == ConditionKind::Identity ? 2 : 1;
    for (size_t i = 1; i <= narrowed; ++i) {
      if (i == 2 && stmt.args[2] == stmt.args[1]) continue;
      add_pis(block, stmt.args[i], condition, when, at);
    }
    return;
  }
}

/// Adds a pi of `value` to both successors of `block`, and makes it the value of every slot that holds
/// `value`.
void SsaBuilder::add_pis(uint32_t block, Operand value, Operand condition, bool when, Span at) {
  if (value.kind != Operand::Kind::Ssa && value.kind != Operand::Kind::Slot) return;
  std::vector<uint32_t> slots;
  for (uint32_t slot = 0; slot < code_.slot_names.size(); ++slot) {
    auto found = defs_.find(key(value_of(slot), block));
    // A slot may hold `value` without an assignment in this block only if it is an argument, or a phi of the
    // slot.
    bool may_hold = found != defs_.end() || (value.kind == Operand::Kind::Slot && value.index == slot) ||
                    (value.kind == Operand::Kind::Ssa && instructions_[value.index].stmt.op == Op::Phi &&
                     instructions_[value.index].variable == value_of(slot));
    if (may_hold && (found != defs_.end() ? found->second : read(value_of(slot), block)) == value)
      slots.push_back(slot);
  }
  if (slots.empty()) return;
  for (size_t way = 0; way < 2; ++way) {
    uint32_t succ = blocks_[block].succs[way];
    assert(blocks_[succ].preds.size() == 1 && "may_narrow foresaw this pi");
    Stmt pi{.op = Op::Pi, .pi_when = (way == 0) == when, .args = {value, condition}, .at = at};
    uint32_t id = add(succ, blocks_[succ].pis, std::move(pi));
    for (uint32_t slot : slots) write(value_of(slot), succ, Operand::ssa(id));
  }
}

// ---- fill

void SsaBuilder::fill_phis() {
  while (!unfilled_.empty()) {
    uint32_t id = unfilled_.back();
    unfilled_.pop_back();
    const Block &block = blocks_[instructions_[id].block];
    Operands args;
    for (uint32_t pred : block.preds) args.push_back(read(instructions_[id].variable, pred));
    instructions_[id].stmt.args = std::move(args);
    instructions_[id].stmt.phi_blocks = block.preds;
  }
}

} // namespace kiln
