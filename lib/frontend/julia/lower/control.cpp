// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions, loops, jumps.
#include "lowerer.h"

namespace kiln::julia {

/// Jumps to `if_false` if the condition is false. Operands of && and || are conditions themselves, not
/// values.
void Lowerer::condition(const Syntax &node, Label if_false) {
  switch (node.head) {
  case Head::And:
    condition(*node.args[0], if_false);
    condition(*node.args[1], if_false);
    return;
  case Head::Or: {
    Label other = b_.new_label(), holds = b_.new_label();
    condition(*node.args[0], other);
    b_.go_to(holds);
    b_.place(other);
    condition(*node.args[1], if_false);
    b_.place(holds);
    return;
  }
  case Head::Block:
    if (node.args.empty()) break;
    for (size_t i = 0; i + 1 < node.args.size(); ++i) effect(*node.args[i]);
    condition(*node.args.back(), if_false);
    return;
  case Head::Comparison: comparison_condition(node, if_false); return;
  default: break;
  }
  Operand holds = value(node);
  b_.set_span(node.at);
  b_.go_to_if_not(holds, if_false);
}

Operand Lowerer::if_value(const Syntax &node) {
  uint32_t result = temporary();
  Label otherwise = b_.new_label(), end = b_.new_label();
  condition(*node.args[0], otherwise);
  auto branch = [&](const Syntax *of) {
    Operand last = of ? value(*of) : nothing();
    if (!b_.terminated()) b_.set_slot(result, last);
  };
  branch(node.args[1]);
  if (!b_.terminated()) b_.go_to(end);
  b_.place(otherwise);
  branch(node.args.size() > 2 ? node.args[2] : nullptr);
  b_.place(end);
  return Operand::slot(result);
}

void Lowerer::if_effect(const Syntax &node) {
  Label otherwise = b_.new_label();
  condition(*node.args[0], otherwise);
  effect(*node.args[1]);
  if (node.args.size() > 2) {
    Label end = b_.new_label();
    if (!b_.terminated()) b_.go_to(end);
    b_.place(otherwise);
    effect(*node.args[2]);
    b_.place(end);
  } else {
    b_.place(otherwise);
  }
}

Operand Lowerer::and_or(const Syntax &node) {
  uint32_t result = temporary();
  Label other = b_.new_label(), end = b_.new_label();
  bool is_and = node.is(Head::And);
  condition(*node.args[0], other);
  auto right = [&] {
    Operand last = value(*node.args[1]);
    if (!b_.terminated()) b_.set_slot(result, last);
  };
  if (is_and)
    right();
  else
    b_.set_slot(result, b_.constant(shared_.types.boolean(true)));
  if (!b_.terminated()) b_.go_to(end);
  b_.place(other);
  if (is_and)
    b_.set_slot(result, b_.constant(shared_.types.boolean(false)));
  else
    right();
  b_.place(end);
  return Operand::slot(result);
}

void Lowerer::comparison_condition(const Syntax &node, Label if_false) {
  Operand left = read_now(value(*node.args[0]));
  for (size_t i = 1; i + 1 < node.args.size(); i += 2) {
    Operand op = value(*node.args[i]);
    Operand right = value(*node.args[i + 1]);
    if (i + 2 < node.args.size()) right = read_now(right); // read once, used twice
    b_.set_span(node.at);
    b_.go_to_if_not(b_.call(op, {left, right}), if_false);
    left = right;
  }
}

Operand Lowerer::comparison(const Syntax &node) {
  uint32_t result = temporary();
  Label no = b_.new_label(), end = b_.new_label();
  Operand left = read_now(value(*node.args[0]));
  for (size_t i = 1; i + 1 < node.args.size(); i += 2) {
    Operand op = value(*node.args[i]);
    Operand right = value(*node.args[i + 1]);
    bool last = i + 2 >= node.args.size();
    if (!last) right = read_now(right);
    b_.set_span(node.at);
    Operand holds = b_.call(op, {left, right});
    if (last)
      b_.set_slot(result, holds);
    else
      b_.go_to_if_not(holds, no);
    left = right;
  }
  b_.go_to(end);
  b_.place(no);
  b_.set_slot(result, b_.constant(shared_.types.boolean(false)));
  b_.place(end);
  return Operand::slot(result);
}

void Lowerer::while_loop(const Syntax &node) {
  Label head = b_.new_label(), exit = b_.new_label();
  b_.place(head);
  condition(*node.args[0], exit);
  loops_.push_back({head, exit, guards_.size()});
  fresh_variables(*node.args[1]);
  effect(*node.args[1]);
  loops_.pop_back();
  if (!b_.terminated()) b_.go_to(head);
  b_.place(exit);
}

void Lowerer::for_loop(const Syntax &node) {
  const Syntax &head = *node.args[0];
  std::vector<const Syntax *> iterations;
  if (head.is(Head::Assign))
    iterations.push_back(&head);
  else
    iterations.assign(head.args.begin(), head.args.end());
  Label exit = b_.new_label();
  for_iteration(iterations, *node.args[1], exit);
  b_.place(exit);
}

/// Lowers a for loop:
/// next = iterate(itr)
/// while next !== nothing: (i, state) = next; ...; next = iterate(itr, state)
void Lowerer::for_iteration(std::span<const Syntax *const> iterations, const Syntax &body, Label exit) {
  const Syntax &iteration = *iterations[0];
  Span at = iteration.at;
  Operand iterable = fixed(value(*iteration.args[1]));
  b_.set_span(at);
  uint32_t next = temporary();
  b_.set_slot(next, b_.call(base("iterate"), {iterable}));
  Label head = b_.new_label(), inside = b_.new_label(), again = b_.new_label(), done = b_.new_label();
  b_.place(head);
  Operand ended = b_.call(intrinsic(Intrinsic::egal), {Operand::slot(next), nothing()});
  b_.go_to_if_not(ended, inside);
  b_.go_to(done);
  b_.place(inside);
  Operand element = b_.call(intrinsic(Intrinsic::getfield), {Operand::slot(next), integer(1)});
  Operand state = b_.call(intrinsic(Intrinsic::getfield), {Operand::slot(next), integer(2)});
  fresh_variables(*iteration.args[0]);
  assign_to(*iteration.args[0], element);
  if (iterations.size() > 1) {
    for_iteration(iterations.subspan(1), body, exit); // `break` leaves all loops of `for i in a, j in b`
  } else {
    loops_.push_back({again, exit, guards_.size()});
    fresh_variables(body);
    effect(body);
    loops_.pop_back();
  }
  b_.place(again);
  b_.set_span(at);
  b_.set_slot(next, b_.call(base("iterate"), {iterable, state}));
  b_.go_to(head);
  b_.place(done);
}

void Lowerer::let(const Syntax &node) {
  const Syntax &bindings = *node.args[0];
  std::vector<const Syntax *> list{&bindings};
  if (bindings.is(Head::Block)) list.assign(bindings.args.begin(), bindings.args.end());
  for (const Syntax *binding : list) {
    fresh_variables(*binding);
    if (binding->is(Head::Assign) || binding->is(Head::Function)) effect(*binding);
  }
  fresh_variables(*node.args[1]);
}

void Lowerer::return_value(Operand value) {
  if (const Syntax *annotation = function_.signature.return_type) {
    Span at = b_.span();
    Operand type = fixed(this->value(*annotation));
    b_.set_span(at);
    value = b_.call(base("convert"), {type, value});
    value = b_.call(intrinsic(Intrinsic::typeassert), {value, type});
  }
  if (!guards_.empty()) value = b_.copy(value); // finally blocks may change variables
  leave_guards(0);
  if (!b_.terminated()) b_.return_(value);
}

/// Leaves the guards beyond the first `down_to`, and runs their `finally` blocks.
void Lowerer::leave_guards(size_t down_to) {
  std::vector<Guard> all = guards_;
  while (guards_.size() > down_to && !b_.terminated()) {
    const Guard guard = guards_.back();
    guards_.pop_back();
    b_.leave();
    if (guard.always) finally(*guard.always);
  }
  guards_ = std::move(all);
}

/// Lowers the body, `catch` and `else` of a try statement. try_value() lowers its `finally`. `result`: slot
/// for the statement's value.
void Lowerer::guarded(const Syntax &node, uint32_t result) {
  auto finish = [&](const Syntax &block) {
    fresh_variables(block);
    Operand last = value(block);
    if (!b_.terminated()) b_.set_slot(result, last);
  };
  if (!node.args[2]->is(Head::Block)) { // only finally
    finish(*node.args[0]);
    return;
  }
  Label caught = b_.new_label(), end = b_.new_label();
  b_.enter(caught, catch_blocks_);
  guards_.push_back({nullptr});
  finish(*node.args[0]);
  guards_.pop_back();
  if (!b_.terminated()) {
    b_.leave();
    if (node.args[4]->is(Head::Block)) finish(*node.args[4]);
    if (!b_.terminated()) b_.go_to(end);
  }
  b_.place(caught);
  ++catch_blocks_;
  if (node.args[1]->is(Head::Identifier)) {
    fresh_variables(*node.args[1]);
    assign_to(*node.args[1], b_.exception());
  }
  finish(*node.args[2]);
  --catch_blocks_;
  b_.place(end);
}

Operand Lowerer::try_value(const Syntax &node) {
  host_only(node, "try/catch");
  uint32_t result = temporary();
  b_.set_slot(result, nothing());
  const bool has_scope = node.is(Head::Try);
  const Syntax *always = has_scope ? node.args[3] : node.args[1];
  if (has_scope && !always->is(Head::Block)) {
    guarded(node, result);
    return Operand::slot(result);
  }
  Label failed = b_.new_label(), end = b_.new_label();
  b_.enter(failed, catch_blocks_);
  guards_.push_back({always});
  if (has_scope)
    guarded(node, result);
  else if (Operand last = value(*node.args[0]); !b_.terminated())
    b_.set_slot(result, last);
  guards_.pop_back();
  if (!b_.terminated()) {
    b_.leave();
    finally(*always);
    if (!b_.terminated()) b_.go_to(end);
  }
  b_.place(failed);
  ++catch_blocks_;
  finally(*always);
  --catch_blocks_;
  if (!b_.terminated()) {
    b_.call(base("rethrow"), {});
    b_.unreachable();
  }
  b_.place(end);
  return Operand::slot(result);
}

void Lowerer::finally(const Syntax &block) {
  fresh_variables(block);
  effect(block);
}

/// Makes new variables when control enters a scope. Closures keep the variables of earlier entries.
void Lowerer::fresh_variables(const Syntax &node) {
  for (const Variable *variable : body_.scopes->fresh_variables(node)) b_.fresh(slot_of(*variable));
}

Operand Lowerer::return_statement(const Syntax &node) {
  Operand result = node.args.empty() ? nothing() : value(*node.args[0]);
  b_.set_span(node.at);
  if (!b_.terminated()) return_value(result);
  return nothing();
}

Operand Lowerer::jump(const Syntax &node) {
  if (loops_.empty()) return missing(node, fmt::format("`{}` outside of a loop", head_text(node.head)));
  leave_guards(loops_.back().guards);
  if (!b_.terminated()) b_.go_to(node.is(Head::Break) ? loops_.back().exit : loops_.back().next);
  return nothing();
}

} // namespace kiln::julia
