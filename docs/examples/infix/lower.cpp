// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower.h"

namespace infix {

using namespace kiln;
using Kind = Node::Kind;

bool is_of_arrays(const Node &node) {
  if (node.kind == Kind::List) return true;
  const std::string_view name = node.name.text();
  return node.kind == Kind::Call && node.items.size() == 1 &&
         (name == "sum" || name == "product" || name == "min" || name == "max" || name == "range" ||
          name == "length");
}

Symbol field_of(TypeContext &types, const Node &node) {
  return types.symbol("array#" + std::to_string(node.at.begin));
}

namespace {

class Lowerer {
public:
  Lowerer(BodyBuilder &code, const Scope &scope) : code_(code), scope_(scope), types_(code.types()) {
    if (scope.is_unchecked) code.set_flags(flags::Inbounds);
    for (uint32_t i = 0; i < scope.parameters.size(); i++) variables_.push_back({scope.parameters[i], i + 1});
  }

  Result<Operand> value(const Node &node) {
    code_.set_span(node.at);
    if (is_of_arrays(node)) {
      if (is_captured(field_of(types_, node))) return element(field_of(types_, node));
      return error(node, "whole arrays are for statements outside of functions");
    }
    switch (node.kind) {
    case Kind::Literal: return code_.constant(node.literal);
    case Kind::Name: return name(node);
    case Kind::Call: return call(node);
    case Kind::And: return choice(node.items[0], &node.items[1], nullptr);
    case Kind::Or: return choice(node.items[0], nullptr, &node.items[1]);
    case Kind::Index: {
      KILN_TRY(Operand array, whole(node.items[0]));
      KILN_TRY(Operand index, value(node.items[1]));
      return library("get", node, {array, index});
    }
    case Kind::If:
      if (node.items.size() == 3 && node.items[1].kind != Kind::Block)
        return choice(node.items[0], &node.items[1], &node.items[2]);
      return choice_of_blocks(node);
    case Kind::While: return loop(node);
    case Kind::Block: return block(node);
    case Kind::Let:
    case Kind::Assign: return assign(node);
    case Kind::Store: {
      KILN_TRY(Operand array, whole(node.items[0]));
      KILN_TRY(Operand index, value(node.items[1]));
      KILN_TRY(Operand stored, value(node.items[2]));
      return library("put", node, {array, index, stored});
    }
    case Kind::Return: {
      Operand result = code_.nothing();
      if (!node.items.empty()) {
        KILN_TRY(result, value(node.items[0]));
      }
      code_.return_(result);
      return code_.nothing();
    }
    default: return error(node, "a function is defined outside of others");
    }
  }

private:
  Error error(const Node &at, std::string message, ErrorCode code = ErrorCode::SyntaxError) {
    return make_error(code, std::move(message), scope_.world.sources().locate(at.at));
  }
  const uint32_t *variable(Symbol name) const {
    for (size_t i = variables_.size(); i-- > 0;)
      if (variables_[i].first == name) return &variables_[i].second;
    return nullptr;
  }
  bool is_captured(Symbol name) const {
    return std::find(scope_.captures.begin(), scope_.captures.end(), name) != scope_.captures.end();
  }
  Operand function(std::string_view name) {
    const Symbol symbol = types_.symbol(name);
    return code_.global(&scope_.home(symbol), symbol);
  }
  Operand library(std::string_view name, const Node &at, std::vector<Operand> arguments) {
    code_.set_span(at.at);
    return code_.call(function(name), std::move(arguments));
  }
  /// An element of a captured array, or a captured number. The program has compared the arrays' lengths.
  Operand element(Symbol captured) {
    const uint8_t before = code_.flags();
    code_.set_flags(before | flags::Inbounds);
    Operand made = code_.call(function("at"), {code_.field(code_.self(), captured), code_.argument(0)});
    code_.set_flags(before);
    return made;
  }

  /// The value of a name; in an array expression, that of the current element.
  Result<Operand> name(const Node &node) {
    if (const uint32_t *slot = variable(node.name)) return code_.copy(Operand::slot(*slot));
    if (is_captured(node.name)) return element(node.name);
    return global(node);
  }
  /// A captured array as a whole.
  Result<Operand> whole(const Node &node) {
    if (node.kind == Kind::Name && is_captured(node.name)) return code_.field(code_.self(), node.name);
    return value(node);
  }
  Result<Operand> global(const Node &node) {
    if (node.name.text().find('.') == std::string_view::npos)
      return code_.global(&scope_.home(node.name), node.name); // looked up in the job's world
    auto found = find_value(scope_.world, node.name.text());
    if (found.ok()) return code_.constant(*found);
    Error unknown = found.take_error();
    unknown.diagnostics().front().at = scope_.world.sources().locate(node.at);
    return unknown;
  }

  Result<Operand> call(const Node &node) {
    Operand callee;
    if (const uint32_t *slot = variable(node.name)) {
      callee = code_.copy(Operand::slot(*slot));
    } else {
      KILN_TRY(callee, global(node));
    }
    std::vector<Operand> arguments;
    for (const Node &item : node.items) {
      KILN_TRY(Operand argument, value(item));
      arguments.push_back(argument);
    }
    code_.set_span(node.at);
    return code_.call(callee, std::move(arguments));
  }

  Result<Operand> assign(const Node &node) {
    KILN_TRY(Operand assigned, value(node.items[0]));
    const uint32_t *known = node.kind == Kind::Assign ? variable(node.name) : nullptr;
    if (node.kind == Kind::Assign && !known)
      return error(node, "`" + std::string(node.name.text()) + "` is no variable here: `let` makes one");
    const uint32_t slot = known ? *known : code_.add_slot(node.name);
    code_.set_span(node.at);
    code_.set_slot(slot, assigned);
    if (!known) variables_.push_back({node.name, slot});
    return code_.nothing();
  }

  Result<Operand> block(const Node &node) {
    const size_t outer = variables_.size();
    Operand last = code_.nothing();
    for (const Node &item : node.items) {
      KILN_TRY(last, value(item));
    }
    variables_.resize(outer);
    return last;
  }

  /// One of two values. A null branch of `and` or `or` stands for the condition's value.
  Result<Operand> choice(const Node &condition, const Node *then, const Node *otherwise) {
    const auto at_else = code_.new_label(), at_end = code_.new_label();
    const uint32_t result = code_.add_slot(types_.symbol("#value"));
    KILN_TRY(Operand decides, value(condition));
    code_.set_span(condition.at);
    code_.go_to_if_not(decides, at_else);
    KILN_TRY(Operand first, then ? value(*then) : code_.constant(types_.boolean(true)));
    code_.set_slot(result, first);
    code_.go_to(at_end);
    code_.place(at_else);
    KILN_TRY(Operand second, otherwise ? value(*otherwise) : code_.constant(types_.boolean(false)));
    code_.set_slot(result, second);
    code_.place(at_end);
    return code_.copy(Operand::slot(result));
  }
  Result<Operand> choice_of_blocks(const Node &node) {
    const auto at_else = code_.new_label(), at_end = code_.new_label();
    KILN_TRY(Operand decides, value(node.items[0]));
    code_.set_span(node.items[0].at);
    code_.go_to_if_not(decides, at_else);
    KILN_CHECK(value(node.items[1]));
    if (!code_.terminated()) code_.go_to(at_end);
    code_.place(at_else);
    if (node.items.size() == 3) KILN_CHECK(value(node.items[2]));
    code_.place(at_end);
    return code_.nothing();
  }
  Result<Operand> loop(const Node &node) {
    const auto again = code_.new_label(), done = code_.new_label();
    code_.place(again);
    KILN_TRY(Operand holds, value(node.items[0]));
    code_.set_span(node.items[0].at);
    code_.go_to_if_not(holds, done);
    KILN_CHECK(value(node.items[1]));
    if (!code_.terminated()) code_.go_to(again);
    code_.place(done);
    return code_.nothing();
  }

  BodyBuilder &code_;
  const Scope &scope_;
  TypeContext &types_;
  std::vector<std::pair<Symbol, uint32_t>> variables_; ///< with their slots
};

} // namespace

Result<Operand> lower(BodyBuilder &code, const Scope &scope, const Node &body) {
  return Lowerer(code, scope).value(body);
}

} // namespace infix
