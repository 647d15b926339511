// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers expressions.
#include "lowerer.h"

namespace kiln::python {

Result<Operand> Lowerer::local(const Node &node) {
  if (auto found = captured_.find(node.name); found != captured_.end()) return found->second;
  const Operand read = Operand::slot(slot(node.name));
  return function_.has_walrus ? code_.copy(read) : read;
}

Result<std::vector<Operand>> Lowerer::expressions(const Node &node, size_t first) {
  std::vector<Operand> all;
  for (size_t i = first; i < node.items.size(); i++) {
    KILN_TRY(Operand value, expression(node.items[i]));
    all.push_back(value);
  }
  return all;
}

Result<Operand> Lowerer::expression(const Node &node) {
  code_.set_span(node.at);
  switch (node.kind) {
  case Kind::Constant: return constant(node.value);
  case Kind::Missing: return code_.nothing();
  case Kind::Known: return constant(node.function->value);
  case Kind::Library: return library_function(node.name.text());
  case Kind::Property: return library(node.name.text(), {});
  case Kind::Local: return local(node);
  case Kind::Tuple: {
    for (const Node &item : node.items)
      if (item.kind == Kind::Starred) {
        Node all = node; // (a, *t) is tuple(a, *t)
        all.items.insert(all.items.begin(), Node{});
        all.names.assign(node.items.size(), Symbol());
        return call_spread(all, constant(engine_.world().intrinsic_value(Intrinsic::tuple)));
      }
    KILN_TRY(auto values, expressions(node, 0));
    code_.set_span(node.at);
    return code_.intrinsic(Intrinsic::tuple, values);
  }
  case Kind::List:
    return error(node, ErrorCode::UnsupportedError,
                 "lists are not for kernels, but where a `for` iterates over one that is written there",
                 "Use a tuple, or cuda.local.array.");
  case Kind::Binary:
  case Kind::Unary: {
    KILN_TRY(auto values, expressions(node, 0));
    code_.set_span(node.at);
    return library(node.name.text(), values);
  }
  case Kind::Not: {
    KILN_TRY(Operand value, truth(node.items[0]));
    code_.set_span(node.at);
    return code_.intrinsic(Intrinsic::not_int, {value});
  }
  case Kind::And:
  case Kind::Or: return and_or(node);
  case Kind::Compare: return compare(node);
  case Kind::IfElse: return if_else(node);
  case Kind::Call: return call(node);
  case Kind::Attribute: {
    KILN_TRY(Operand object, expression(node.items[0]));
    KILN_TRY(Operand name, text(node.name.text()));
    code_.set_span(node.at);
    return library("getattr", {object, name});
  }
  case Kind::Subscript: {
    KILN_TRY(auto values, expressions(node, 0));
    code_.set_span(node.at);
    return library("getitem", values);
  }
  case Kind::Slice: {
    KILN_TRY(auto values, expressions(node, 0));
    code_.set_span(node.at);
    return library("slice", values);
  }
  case Kind::Walrus: {
    KILN_TRY(Operand value, expression(node.items[1]));
    KILN_CHECK(assign(node.items[0], value));
    return code_.copy(value);
  }
  case Kind::Closure: return closure(node);
  case Kind::Starred:
    return error(node, ErrorCode::UnsupportedError, "`*` is for arguments and tuples alone");
  default: return error(node, ErrorCode::UnsupportedError, "this expression is not for kernels");
  }
}

Result<Operand> Lowerer::truth(const Node &node) {
  KILN_TRY(Operand value, expression(node));
  if (node.kind == Kind::Not) return value;
  code_.set_span(node.at);
  return library("truth", {value});
}

Result<void> Lowerer::condition(const Node &node, Label otherwise) {
  if (node.kind == Kind::And) {
    for (const Node &each : node.items) KILN_CHECK(condition(each, otherwise));
    return {};
  }
  if (node.kind == Kind::Or) {
    const Label holds = code_.new_label();
    for (size_t i = 0; i + 1 < node.items.size(); i++) {
      const Label next = code_.new_label();
      KILN_CHECK(condition(node.items[i], next));
      code_.go_to(holds);
      code_.place(next);
    }
    KILN_CHECK(condition(node.items.back(), otherwise));
    code_.place(holds);
    return {};
  }
  KILN_TRY(Operand value, truth(node));
  code_.set_span(node.at);
  code_.go_to_if_not(value, otherwise);
  return {};
}

/// Lowers a chained comparison a < b < c. Each operand is evaluated at most once; a false comparison skips
/// the operands after it.
Result<Operand> Lowerer::compare(const Node &node) {
  KILN_TRY(Operand left, expression(node.items[0]));
  if (node.names.size() == 1) {
    KILN_TRY(Operand right, expression(node.items[1]));
    code_.set_span(node.at);
    return library(node.names[0].text(), {left, right});
  }
  const uint32_t result = fresh("#compare");
  const Label end = code_.new_label();
  for (size_t i = 0; i < node.names.size(); i++) {
    KILN_TRY(Operand right, expression(node.items[i + 1]));
    if (right.kind == Operand::Kind::Slot) right = code_.copy(right);
    code_.set_span(node.at);
    KILN_TRY(Operand holds, library(node.names[i].text(), {left, right}));
    code_.set_slot(result, holds);
    if (i + 1 < node.names.size()) {
      KILN_TRY(Operand goes_on, library("truth", {holds}));
      code_.go_to_if_not(goes_on, end);
    }
    left = right;
  }
  code_.place(end);
  return code_.copy(Operand::slot(result));
}

Result<Operand> Lowerer::and_or(const Node &node) {
  const uint32_t result = fresh(node.kind == Kind::And ? "#and" : "#or");
  const Label end = code_.new_label();
  for (size_t i = 0; i < node.items.size(); i++) {
    KILN_TRY(Operand value, expression(node.items[i]));
    code_.set_slot(result, value);
    if (i + 1 == node.items.size()) break;
    code_.set_span(node.items[i].at);
    KILN_TRY(Operand holds, library("truth", {value}));
    if (node.kind == Kind::Or) holds = code_.intrinsic(Intrinsic::not_int, {holds});
    code_.go_to_if_not(holds, end);
  }
  code_.place(end);
  return code_.copy(Operand::slot(result));
}

Result<Operand> Lowerer::if_else(const Node &node) {
  const uint32_t result = fresh("#ifelse");
  const Label otherwise = code_.new_label(), end = code_.new_label();
  KILN_CHECK(condition(node.items[0], otherwise));
  KILN_TRY(Operand then, expression(node.items[1]));
  code_.set_slot(result, then);
  code_.go_to(end);
  code_.place(otherwise);
  KILN_TRY(Operand other, expression(node.items[2]));
  code_.set_slot(result, other);
  code_.place(end);
  return code_.copy(Operand::slot(result));
}

/// Lowers a nested function to a closure. At a call, the closure sees the current values of the outer
/// functions' variables.
Result<Operand> Lowerer::closure(const Node &node) {
  const auto &inner = node.function;
  MethodDefinition method;
  method.module =
      engine_.world().module(engine_.symbol(inner->identity.hex().substr(0, 16)), engine_.world().main());
  method.name = engine_.symbol(inner->name.str() + "#" + inner->identity.hex().substr(0, 8));
  for (size_t i = 0; i < inner->parameters.size(); i++) {
    Parameter parameter{inner->parameters[i].name};
    if (inner->is_vararg && i + 1 == inner->parameters.size())
      parameter.type = engine_.types().vararg(engine_.types().builtins().Any);
    method.parameters.push_back(parameter);
  }
  method.at = inner->at;
  method.hints = inner->hints;
  method.hints.join = engine_.join_rule();
  method.body = [&engine = engine_, inner](BodyBuilder &body) { return lower(engine, *inner, body); };
  std::vector<Operand> values;
  for (Symbol name : inner->captures) {
    auto outer = captured_.find(name);
    values.push_back(outer != captured_.end() ? outer->second : code_.cell(slot(name)));
  }
  KILN_TRY(TypeRef type, define_closure(engine_.world(), inner->captures, std::move(method)));
  return code_.new_closure(code_.type(type), values);
}

} // namespace kiln::python
