// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements.
#include "lowerer.h"

namespace kiln::python {

Result<Operand> lower(Engine &engine, const Function &function, BodyBuilder &body) {
  return Lowerer(engine, function, body).body();
}

Lowerer::Lowerer(Engine &engine, const Function &function, BodyBuilder &code)
    : engine_(engine), function_(function), code_(code) {
  for (uint32_t i = 0; i < function.parameters.size(); i++) slots_[function.parameters[i].name] = i + 1;
  for (Symbol name : function.captures) captured_[name] = code.field(code.self(), name);
}

Error Lowerer::error(const Node &at, ErrorCode code, std::string message, std::string hint) const {
  return make_error(code, std::move(message), engine_.world().sources().locate(at.at), std::move(hint));
}

uint32_t Lowerer::slot(Symbol name) {
  auto [found, is_new] = slots_.try_emplace(name, 0);
  if (is_new) found->second = code_.add_slot(name);
  return found->second;
}

Result<Operand> Lowerer::library_function(std::string_view name) {
  KILN_TRY(Value function, engine_.library(name));
  return constant(function);
}

Result<Operand> Lowerer::library(std::string_view name, const Operands &arguments) {
  KILN_TRY(Operand function, library_function(name));
  return code_.call(function, arguments);
}

Result<Operand> Lowerer::text(std::string_view symbol) {
  KILN_TRY(Value value, engine_.val(symbol));
  return constant(value);
}

Result<Operand> Lowerer::body() {
  code_.set_span(function_.at);
  if (function_.is_lambda) return expression(function_.body);
  KILN_CHECK(block(function_.body));
  if (!end_) return code_.nothing(); // no `return`
  if (!code_.terminated() && has_result_) code_.set_slot(result_, code_.nothing());
  code_.place(*end_);
  return has_result_ ? Operand::slot(result_) : code_.nothing();
}

Result<void> Lowerer::block(const Node &node) {
  for (const Node &each : node.items) {
    if (code_.terminated()) return {}; // unreachable
    KILN_CHECK(statement(each));
  }
  return {};
}

Result<void> Lowerer::statement(const Node &node) {
  code_.set_span(node.at);
  switch (node.kind) {
  case Kind::Assign: {
    KILN_TRY(Operand value, expression(node.items[0]));
    // Copies a variable's value before the assignments: in a = b = a, the first one may change it.
    if (node.items.size() > 2 && value.kind == Operand::Kind::Slot) value = code_.copy(value);
    for (size_t i = 1; i < node.items.size(); i++) KILN_CHECK(assign(node.items[i], value));
    return {};
  }
  case Kind::Augmented: return augmented(node);
  case Kind::Expression: {
    KILN_TRY(Operand value, expression(node.items[0]));
    (void)value;
    return {};
  }
  case Kind::If: return if_(node);
  case Kind::While: return while_(node);
  case Kind::For: return for_(node);
  case Kind::Return: return return_(node);
  case Kind::Break: code_.go_to(loops_.back().end); return {};
  case Kind::Continue: code_.go_to(loops_.back().next); return {};
  case Kind::Raise: return raise(node, node.name.text());
  case Kind::Assert: {
    const Label fails = code_.new_label(), end = code_.new_label();
    KILN_CHECK(condition(node.items[0], fails));
    code_.go_to(end);
    code_.place(fails);
    KILN_CHECK(raise(node, "AssertionError"));
    code_.place(end);
    return {};
  }
  case Kind::Match: return match(node);
  case Kind::Block: return block(node);
  default: return error(node, ErrorCode::UnsupportedError, "this statement is not for kernels");
  }
}

Result<void> Lowerer::assign(const Node &target, Operand value) {
  switch (target.kind) {
  case Kind::Local:
    if (captured_.count(target.name))
      return error(target, ErrorCode::UnsupportedError,
                   "a nested function cannot assign to `" + target.name.str() +
                       "` of the function around it");
    code_.set_span(target.at);
    code_.set_slot(slot(target.name), value);
    return {};
  case Kind::Tuple: return unpack(target, value);
  case Kind::Subscript: {
    KILN_TRY(Operand object, expression(target.items[0]));
    std::vector<Operand> all{object, value};
    for (size_t i = 1; i < target.items.size(); i++) {
      KILN_TRY(Operand index, expression(target.items[i]));
      all.push_back(index);
    }
    code_.set_span(target.at);
    KILN_TRY(Operand stored, library("setitem", all));
    (void)stored;
    return {};
  }
  case Kind::Attribute: {
    KILN_TRY(Operand object, expression(target.items[0]));
    KILN_TRY(Operand name, text(target.name.text()));
    code_.set_span(target.at);
    KILN_TRY(Operand stored, library("setattr", {object, value, name}));
    (void)stored;
    return {};
  }
  default:
    return error(target, ErrorCode::UnsupportedError, "kernels cannot assign to this",
                 "Assign to a variable, an element, or a tuple of them.");
  }
}

Result<void> Lowerer::unpack(const Node &target, Operand value) {
  code_.set_span(target.at);
  KILN_TRY(Value count, engine_.val(engine_.types().int64(int64_t(target.items.size()))));
  KILN_TRY(Operand parts, library("unpack", {value, constant(count)}));
  const Operand getfield = constant(engine_.world().intrinsic_value(Intrinsic::getfield));
  std::vector<Operand> values;
  for (size_t i = 0; i < target.items.size(); i++)
    values.push_back(code_.call(getfield, {parts, code_.int64(int64_t(i) + 1)}));
  for (size_t i = 0; i < target.items.size(); i++) KILN_CHECK(assign(target.items[i], values[i]));
  return {};
}

Result<void> Lowerer::augmented(const Node &node) {
  const Node &target = node.items[0];
  if (target.kind == Kind::Local) {
    KILN_TRY(Operand old, local(target));
    old = code_.copy(old);
    KILN_TRY(Operand value, expression(node.items[1]));
    code_.set_span(node.at);
    KILN_TRY(Operand made, library(node.name.text(), {old, value}));
    return assign(target, made);
  }
  if (target.kind != Kind::Subscript && target.kind != Kind::Attribute)
    return error(target, ErrorCode::UnsupportedError, "kernels cannot assign to this");
  const bool is_item = target.kind == Kind::Subscript;
  std::vector<Operand> place;
  KILN_TRY(Operand object, expression(target.items[0]));
  place.push_back(object);
  for (size_t i = 1; i < target.items.size(); i++) {
    KILN_TRY(Operand index, expression(target.items[i]));
    place.push_back(index.kind == Operand::Kind::Slot ? code_.copy(index) : index);
  }
  if (!is_item) {
    KILN_TRY(Operand name, text(target.name.text()));
    place.push_back(name);
  }
  code_.set_span(target.at);
  KILN_TRY(Operand old, library(is_item ? "getitem" : "getattr", place));
  KILN_TRY(Operand value, expression(node.items[1]));
  code_.set_span(node.at);
  KILN_TRY(Operand made, library(node.name.text(), {old, value}));
  place.insert(place.begin() + 1, made);
  KILN_TRY(Operand stored, library(is_item ? "setitem" : "setattr", place));
  (void)stored;
  return {};
}

Result<void> Lowerer::if_(const Node &node) {
  const Label otherwise = code_.new_label();
  KILN_CHECK(condition(node.items[0], otherwise));
  KILN_CHECK(block(node.items[1]));
  if (node.items[2].items.empty()) {
    code_.place(otherwise);
    return {};
  }
  const Label end = code_.new_label();
  if (!code_.terminated()) code_.go_to(end);
  code_.place(otherwise);
  KILN_CHECK(block(node.items[2]));
  code_.place(end);
  return {};
}

/// Lowers a loop's body. `continue` goes to `next`, `break` to `end`.
Result<void> Lowerer::loop_body(const Node &node, Label next, Label end, Label otherwise) {
  loops_.push_back({next, end});
  KILN_CHECK(block(node.items[node.items.size() - 2]));
  loops_.pop_back();
  if (!code_.terminated()) code_.go_to(next);
  (void)otherwise;
  return {};
}

Result<void> Lowerer::while_(const Node &node) {
  const Label next = code_.new_label(), end = code_.new_label(), otherwise = code_.new_label();
  code_.place(next);
  KILN_CHECK(condition(node.items[0], otherwise));
  KILN_CHECK(loop_body(node, next, end, otherwise));
  code_.place(otherwise);
  KILN_CHECK(block(node.items[2]));
  code_.place(end);
  return {};
}

/// Unrolls a loop over a list literal: one copy of the body per item, so that items may differ in type.
Result<void> Lowerer::for_literal(const Node &node) {
  const Label end = code_.new_label();
  for (const Node &item : node.items[1].items) {
    const Label next = code_.new_label();
    KILN_TRY(Operand value, expression(item));
    KILN_CHECK(assign(node.items[0], value));
    loops_.push_back({next, end});
    KILN_CHECK(block(node.items[2]));
    loops_.pop_back();
    code_.place(next);
  }
  KILN_CHECK(block(node.items[3]));
  code_.place(end);
  return {};
}

/// Lowers a `for` as: k = 0; n = count(iterator); while k < n: target = item(iterator, k); body; k += 1
Result<void> Lowerer::for_(const Node &node) {
  if (node.items[1].kind == Kind::List && node.items[1].items.size() <= 64) return for_literal(node);
  KILN_TRY(Operand iterable, expression(node.items[1]));
  code_.set_span(node.items[1].at);
  KILN_TRY(Operand made, library("iterator", {iterable}));
  const uint32_t iterator = fresh("#iterator"), count = fresh("#count"), k = fresh("#k");
  code_.set_slot(iterator, made);
  KILN_TRY(Operand length, library("count", {Operand::slot(iterator)}));
  code_.set_slot(count, length);
  code_.set_slot(k, code_.int64(0));
  const Label again = code_.new_label(), next = code_.new_label(), end = code_.new_label(),
              otherwise = code_.new_label();
  code_.place(again);
  code_.set_span(node.items[1].at);
  code_.go_to_if_not(code_.intrinsic(Intrinsic::slt_int, {Operand::slot(k), Operand::slot(count)}),
                     otherwise);
  KILN_TRY(Operand item, library("item", {Operand::slot(iterator), Operand::slot(k)}));
  KILN_CHECK(assign(node.items[0], item));
  KILN_CHECK(loop_body(node, next, end, otherwise));
  code_.place(next);
  code_.set_span(node.items[1].at);
  code_.set_slot(k, code_.intrinsic(Intrinsic::add_nuw_nsw, {Operand::slot(k), code_.int64(1)}));
  code_.go_to(again);
  code_.place(otherwise);
  KILN_CHECK(block(node.items[3]));
  code_.place(end);
  return {};
}

Result<void> Lowerer::return_(const Node &node) {
  Operand value = code_.nothing();
  if (!node.items.empty()) {
    KILN_TRY(value, expression(node.items[0]));
  }
  if (function_.is_kernel && !node.items.empty() &&
      !(node.items[0].kind == Kind::Constant &&
        node.items[0].value.type() == engine_.types().builtins().Nothing))
    return error(node, ErrorCode::KernelResult,
                 "a kernel returns nothing: it has to write its results into arrays");
  if (!function_.is_kernel) {
    if (!has_result_) result_ = fresh("#result");
    has_result_ = true;
    code_.set_slot(result_, value);
  }
  if (!end_) end_ = code_.new_label();
  code_.go_to(*end_);
  return {};
}

Result<void> Lowerer::raise(const Node &node, std::string_view type) {
  const Operand message = constant(Value::string(engine_.types(), std::string(type) + ": " + node.text));
  code_.set_span(node.at);
  KILN_TRY(Operand thrown, library("raise", {message}));
  (void)thrown;
  code_.unreachable();
  return {};
}

Result<void> Lowerer::match(const Node &node) {
  KILN_TRY(Operand subject, expression(node.items[0]));
  code_.set_slot(slot(engine_.symbol("#subject" + std::to_string(node.at.begin))), subject);
  const Label end = code_.new_label();
  for (size_t i = 1; i < node.items.size(); i++) {
    const Node &each = node.items[i];
    const Label next = code_.new_label();
    if (each.items[0].kind != Kind::Missing) KILN_CHECK(condition(each.items[0], next));
    if (each.items[1].kind != Kind::Missing) { // captures the subject
      KILN_TRY(Operand captured, expression(each.items[1].items[0]));
      KILN_CHECK(assign(each.items[1].items[1], captured));
    }
    if (each.items[2].kind != Kind::Missing) KILN_CHECK(condition(each.items[2], next));
    KILN_CHECK(block(each.items[3]));
    if (!code_.terminated()) code_.go_to(end);
    code_.place(next);
  }
  code_.place(end);
  return {};
}

} // namespace kiln::python
