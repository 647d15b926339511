// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the blocks of one code instance, as a function's body or inlined. A block is emitted only if a branch
// to it was emitted. Code that constants exclude (disabled bounds checks, branches for other targets) is
// therefore never emitted.
#include "emitter.h"

namespace kiln {

void Emitter::prepare(Frame &frame) {
  size_t count = frame.code.ssa->stmts.size();
  statements_ += count;
  auto *values = arena_.Allocate<EmittedValue>(count);
  std::uninitialized_fill_n(values, count, EmittedValue());
  frame.values = {values, count};
  frame.blocks.resize(frame.code.ssa->blocks.size());
}

EmittedValue Emitter::emit_frame(Frame &frame) {
  prepare(frame);
  if (debug_.full()) describe_arguments(frame);
  const SsaCode &ssa = *frame.code.ssa;
  if (!ssa.blocks[0].preds.empty()) { // LLVM's entry block must have no predecessors
    auto *entry = frame.blocks[0].entry = new_block();
    frame.blocks[0].in.push_back({~0u, b_.GetInsertBlock()});
    b_.CreateBr(entry);
    begin_block(entry);
  }
  emit_block(frame, 0);
  // Repeat: in reverse post-order a branch precedes its target, except in loops with two entries.
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 1; i < ssa.blocks.size(); ++i)
      if (!frame.blocks[i].in.empty() && !frame.blocks[i].emitted) {
        emit_block(frame, i);
        again = true;
      }
  }
  fill_phis(frame);
  b_.ClearInsertionPoint();
  if (!frame.caller) return {};
  return merge(frame.returns, frame.code.result.type);
}

void Emitter::emit_block(Frame &frame, uint32_t index) {
  const SsaBlock &block = frame.code.ssa->blocks[index];
  Frame::Block &state = frame.blocks[index];
  state.emitted = true;
  bool is_header = false;
  for (uint32_t pred : block.preds) is_header |= pred >= index;
  bool single = index != 0 && !is_header && state.in.size() == 1;
  if (index != 0) {
    auto *branch = single ? llvm::dyn_cast<llvm::BranchInst>(state.in[0].from->getTerminator()) : nullptr;
    if (branch && branch->isUnconditional()) { // continue in the predecessor
      branch->eraseFromParent();
      delete state.entry;
      state.entry = state.in[0].from;
      b_.SetInsertPoint(state.entry);
    } else {
      begin_block(state.entry);
    }
  }
  bool phis_done = false;
  for (uint32_t s = block.begin; s < block.end && !dead(); ++s) {
    if (frame.code.ssa->stmts[s].op == Op::Phi) {
      emit_phi(frame, index, s, single);
      continue;
    }
    if (!phis_done && debug_.full()) describe_phis(frame, index);
    phis_done = true;
    if (debug_.full()) describe_assignments(frame, s);
    emit_statement(frame, index, s);
    if (!dead() && frame.code.types[s].is_bottom() && !(frame.code.ssa->stmts[s].flags & flags::Joined))
      end_block(); // a copy of an unassigned variable does not end the block
  }
}

void Emitter::emit_phi(Frame &frame, uint32_t block, uint32_t stmt, bool single) {
  const Lattice &known = frame.code.types[stmt];
  if (!known.type || known.constant) return;
  const Shape *shape = shapes_.get(known.type);
  if (shape->leaves.empty()) {
    frame.values[stmt] = {shape, {}};
    return;
  }
  if (single) {
    const Stmt &phi = frame.code.ssa->stmts[stmt];
    uint32_t pred = frame.blocks[block].in[0].pred;
    EmittedValue value;
    for (size_t k = 0; k < phi.args.size(); ++k)
      if (phi.phi_blocks[k] == pred && phi.args[k]) value = operand(frame, phi.args[k]);
    if (!value) value = unassigned(frame, shape);
    frame.values[stmt] = shape->kind == Kind::Opaque ? value : coerce(value, shape);
    return;
  }
  llvm::SmallVector<llvm::Value *, 4> leaves;
  for (llvm::Type *type : shape->leaves) leaves.push_back(b_.CreatePHI(type, 2));
  frame.values[stmt] = make(shape, leaves);
  frame.phis.push_back({stmt, block});
}

namespace {

bool points_to_object(const Shape *shape, size_t leaf) {
  if (shape->kind == Shape::Kind::Mutable) return true;
  for (size_t i = shape->parts.size(); i-- > 0;)
    if (leaf >= shape->first[i])
      return leaf < shape->first[i] + shape->parts[i]->leaves.size() &&
             points_to_object(shape->parts[i], leaf - shape->first[i]);
  return false;
}

} // namespace

/// Reports a fault if a loop passes a new mutable object to its next iteration. Each object has one stack
/// slot per function, which the next iteration's object would overwrite.
void Emitter::check_carried(Frame &frame, EmittedValue value, EmittedValue phi) {
  for (size_t i = 0; i < value.leaves.size(); ++i) {
    llvm::Value *leaf = value.leaves[i];
    if (leaf == phi.leaves[i] || llvm::isa<llvm::Constant, llvm::Argument>(leaf) ||
        !points_to_object(phi.shape, i))
      continue;
    fault(
        frame, ErrorCode::Unsupported, "heap allocation of mutable struct " + spell(phi.type()),
        "It is made anew in a loop while the one before may still be in use: use an immutable struct, or make "
        "it before the loop.");
    return;
  }
}

void Emitter::fill_phis(Frame &frame) {
  place_carried(frame);
  for (auto [stmt, block] : frame.phis) {
    if (frame.placed.contains(stmt)) continue;
    const Stmt &phi = frame.code.ssa->stmts[stmt];
    EmittedValue result = frame.values[stmt];
    for (const Frame::Edge &edge : frame.blocks[block].in) {
      Operand from;
      for (size_t k = 0; k < phi.args.size(); ++k)
        if (phi.phi_blocks[k] == edge.pred) from = phi.args[k];
      b_.SetInsertPoint(edge.from->getTerminator());
      EmittedValue value = from ? operand(frame, from) : EmittedValue();
      value = value ? coerce(value, result.shape) : unassigned(frame, result.shape);
      if (result.shape->has_mutable && edge.pred != ~0u && edge.pred >= block)
        check_carried(frame, value, result);
      for (size_t i = 0; i < value.leaves.size(); ++i)
        llvm::cast<llvm::PHINode>(result.leaves[i])->addIncoming(value.leaves[i], edge.from);
    }
  }
}

llvm::BasicBlock *Emitter::enter_edge(Frame &frame, uint32_t from, uint32_t to) {
  Frame::Block &target = frame.blocks[to];
  if (!target.entry) target.entry = new_block();
  target.in.push_back({from, b_.GetInsertBlock()});
  return target.entry;
}

void Emitter::jump(Frame &frame, uint32_t from, uint32_t to) {
  b_.CreateBr(enter_edge(frame, from, to));
  b_.ClearInsertionPoint();
}

/// Condition of a branch whose value is missing because of a fault. Reports this function's faults here,
/// since the faulty statement may come later in a loop. If the fault is in a callee, both branches stay
/// possible.
llvm::Value *Emitter::spoilt_condition(Frame &frame) {
  for (uint32_t index = 0; index < frame.code.calls.size(); ++index) {
    const CallInfo &call = frame.code.calls[index];
    if (call.kind != CallInfo::Kind::Fault || call.fault >= frame.code.faults.size()) continue;
    set_location(frame, frame.code.ssa->stmts[index].at);
    fault(frame, frame.code.faults[call.fault]);
  }
  return b_.CreateLoad(b_.getInt1Ty(), stack_slot(b_.getInt1Ty(), 0), true); // volatile: an unknown value
}

void Emitter::emit_branch(Frame &frame, uint32_t block, uint32_t stmt) {
  const std::vector<uint32_t> &to = frame.code.ssa->blocks[block].succs;
  uint8_t taken = frame.code.edge_taken[block];
  if (to.size() < 2 || to[0] == to[1] || taken == 1) return jump(frame, block, to[0]);
  if (taken == 2) return jump(frame, block, to[1]);
  if (taken == 0) return end_block();
  EmittedValue condition = operand(frame, frame.code.ssa->stmts[stmt].args[0]);
  if (!condition) return end_block();
  bool spoilt =
      condition.is(Kind::Opaque) && frame.code.operand(types_, frame.code.ssa->stmts[stmt].args[0]).poison;
  if (!spoilt && (!condition.is(Kind::Scalar) || !condition.shape->is_bool)) {
    fault(frame, ErrorCode::TypeError,
          "non-boolean (" + spell(condition.type()) + ") used in boolean context");
    return end_block();
  }
  llvm::Value *c = spoilt ? spoilt_condition(frame) : condition.scalar();
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(c))
    return jump(frame, block, known->isZero() ? to[1] : to[0]);
  set_location(frame, frame.code.ssa->stmts[stmt].at);
  auto *yes = enter_edge(frame, block, to[0]);
  auto *no = enter_edge(frame, block, to[1]);
  b_.CreateCondBr(c, yes, no);
  b_.ClearInsertionPoint();
}

void Emitter::emit_statement(Frame &frame, uint32_t block, uint32_t index) {
  const Stmt &stmt = frame.code.ssa->stmts[index];
  const Lattice &known = frame.code.types[index];
  if (const CallInfo &call = frame.code.calls[index]; call.kind == CallInfo::Kind::Fault) {
    set_location(frame, stmt.at);
    if (call.fault < frame.code.faults.size())
      fault(frame, frame.code.faults[call.fault]); // else it was reported before
    if (!known.type || known.is_bottom() || stmt.op == Op::GotoIfNot || stmt.op == Op::Return)
      return end_block();
    frame.values[index] = poison(shapes_.get(known.type));
    return;
  }
  switch (stmt.op) {
  case Op::Goto: return jump(frame, block, frame.code.ssa->blocks[block].succs[0]);
  case Op::GotoIfNot: return emit_branch(frame, block, index);
  case Op::Return: return emit_return(frame, operand(frame, stmt.args[0]), stmt.at);
  case Op::Unreachable: return end_block();
  case Op::Call:
  case Op::New:
  case Op::NewClosure: return emit_call(frame, index);
  case Op::BoundsCheck: frame.values[index] = boolean(b_.getInt1(frame.check_bounds)); return;
  case Op::Copy:
  case Op::Cell:
  case Op::Pi: {
    if (frame.code.calls[index].kind != CallInfo::Kind::None) return emit_call(frame, index); // a conversion
    if (known.constant || known.is_bottom()) return;
    EmittedValue value = operand(frame, stmt.args[0]);
    if (!value) return end_block();
    const Shape *shape = known.type ? shapes_.get(known.type) : value.shape;
    frame.values[index] = shape->kind == Kind::Opaque ? value : coerce(value, shape);
    return;
  }
  case Op::SetSlot: // marks of assignments, which only inference uses
  case Op::Fresh: return;
  case Op::Phi:
  case Op::IsDefined:
  case Op::HostOnly:
  case Op::Enter:
  case Op::Leave:
  case Op::Exception: break;
  }
  assert(false && "not a statement of the SSA form");
}

void Emitter::emit_return(Frame &frame, EmittedValue value, Span at) {
  if (!value) return end_block();
  if (frame.caller) {
    frame.returns.push_back({b_.GetInsertBlock(), value});
    b_.ClearInsertionPoint();
    return;
  }
  set_location(frame, at);
  value = coerce(value, return_shape_);
  if (return_shape_->has_mutable)
    fault(frame, ErrorCode::Unsupported, "heap allocation of mutable struct " + spell(value.type()),
          "It outlives the function that makes it: return a tuple or an immutable struct.");
  if (value.leaves.empty()) {
    b_.CreateRetVoid();
  } else if (entry_returns_) {
    b_.CreateRet(pack(value));
  } else if (value.leaves.size() == 1) {
    b_.CreateRet(value.leaves[0]);
  } else {
    llvm::Value *all = llvm::PoisonValue::get(function_->getReturnType());
    for (unsigned i = 0; i < value.leaves.size(); ++i) all = b_.CreateInsertValue(all, value.leaves[i], i);
    b_.CreateRet(all);
  }
  b_.ClearInsertionPoint();
}

EmittedValue Emitter::merge(Exits &exits, TypeRef type) {
  if (exits.empty()) {
    b_.ClearInsertionPoint();
    return {};
  }
  const Shape *shape = shapes_.get(type);
  if (shape->kind == Kind::Opaque ||
      shape->kind == Kind::Never) { // the incoming values are more precise than inference's type
    shape = exits[0].value.shape;
    for (auto &exit : exits)
      if (exit.value.shape != shape) shape = shapes_.get(types_.builtins().Any);
  }
  if (exits.size() == 1) {
    b_.SetInsertPoint(exits[0].block);
    return coerce(exits[0].value, shape);
  }
  auto *next = new_block();
  for (auto &exit : exits) {
    b_.SetInsertPoint(exit.block);
    exit.value = coerce(exit.value, shape);
    b_.CreateBr(next);
  }
  begin_block(next);
  llvm::SmallVector<llvm::Value *, 4> leaves;
  for (size_t i = 0; i < shape->leaves.size(); ++i) {
    auto *phi = b_.CreatePHI(shape->leaves[i], unsigned(exits.size()));
    for (auto &exit : exits) phi->addIncoming(exit.value.leaves[i], exit.block);
    leaves.push_back(phi);
  }
  return make(shape, leaves);
}

} // namespace kiln
