// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expander.h"

#include "quote.h"

namespace kiln::julia {

// ---- makers

Syntax *Expander::error(Span at, std::string message) {
  Syntax *node = arena_.make(Head::Error, at);
  node->literal = shared_->string(std::move(message));
  return node;
}

Syntax *Expander::identifier(std::string_view name, uint32_t scope, Span at) {
  Syntax *node = arena_.identifier(shared_->symbol(name), at);
  node->scope = scope;
  return node;
}

Syntax *Expander::symbol(Symbol name, Span at) {
  Syntax *node = arena_.make(Head::QuotedSymbol, at);
  node->literal = Value::symbol(shared_->types, name);
  return node;
}

Syntax *Expander::dot(Syntax *object, std::string_view name, Span at) {
  return make(Head::Dot, at, {object, symbol(shared_->symbol(name), at)});
}

Syntax *Expander::call(Syntax *callee, std::vector<Syntax *> args, Span at) {
  args.insert(args.begin(), callee);
  return make(Head::Call, at, std::move(args));
}

// ---- sugar

Syntax *Expander::expand_children(const Syntax &node) {
  Syntax *copy = copy_node(arena_, node);
  copy->args.reserve(node.args.size());
  for (const Syntax *child : node.args) copy->args.push_back(expand(*child));
  return copy;
}

Syntax *Expander::expand(const Syntax &node) {
  switch (node.head) {
  case Head::Identifier:
  case Head::Literal:
  case Head::QuotedSymbol: return expand_children(node);
  case Head::Call: return expand_call(node);
  case Head::DotCall: return call(base("materialize", node.at), {broadcast(node)}, node.at);
  case Head::DotAssign: {
    Syntax *source =
        node.args[1]->is(Head::DotCall) || node.args[1]->is(Head::Comparison)
            ? broadcast_argument(*node.args[1])
            : call(base("broadcasted", node.at), {base("identity", node.at), expand(*node.args[1])}, node.at);
    return call(base("materialize!", node.at), {dotted_target(*node.args[0]), source}, node.at);
  }
  case Head::DotOpAssign: // a function of the target, which is evaluated once
    return call(
        base("dotted_update!", node.at),
        {dotted_target(*node.args[1]), dotted_operator(*node.args[0]), broadcast_argument(*node.args[2])},
        node.at);
  case Head::OpAssign: return expand_op_assign(node);
  case Head::If: // `if @generated` takes its second branch; Julia may choose either
    if (node.args[0]->is(Head::MacroCall) && macro_name(*node.args[0]).text() == "@generated" &&
        node.args[0]->args.size() == 1)
      return node.args.size() > 2 ? expand(*node.args[2]) : nothing(node, {});
    return expand_children(node);
  case Head::Ref: return views_ ? part_of(node) : expand_children(node);
  case Head::MacroCall: return expand_macro(node);
  case Head::Tuple: return expand_tuple(node);
  case Head::Vect:
  case Head::Hcat:
  case Head::Vcat:
  case Head::TypedHcat:
  case Head::TypedVcat: return expand_array(node);
  case Head::Ncat:
  case Head::TypedNcat:
  case Head::Nrow: return expand_ncat(node);
  case Head::Comprehension: return call(base("collect", node.at), {expand(*node.args[0])}, node.at);
  case Head::TypedComprehension:
    return call(base("collect", node.at), {expand(*node.args[0]), expand(*node.args[1])}, node.at);
  case Head::Generator: return expand_generator(node);
  case Head::Flatten: return call(base("Flatten", node.at), {expand(*node.args[0])}, node.at);
  case Head::Do: return expand_do(node);
  case Head::StringInterpolation: {
    std::vector<Syntax *> parts;
    for (const Syntax *part : node.args) parts.push_back(expand(*part));
    return call(base(in_message_ ? "message" : "string", node.at), std::move(parts), node.at);
  }
  case Head::Quote: return quoted(*node.args[0]);
  case Head::Interpolation: return error(node.at, "`$` outside of a quote");
  case Head::Doc: return expand(*node.args.back());
  case Head::Struct:
  case Head::Abstract:
  case Head::Primitive: note_type(node); [[fallthrough]];
  case Head::Module:
  case Head::Macro:
  case Head::Import:
  case Head::Using:
  case Head::Export:
  case Head::Public:
    if (runs_eval()) return at_top_level(node);
    return error(node.at, fmt::format("`{}` inside a function", head_text(node.head)));
  case Head::Const: return error(node.at, "`const` inside a function");
  case Head::Toplevel: {
    Syntax *block = expand_children(node);
    block->head = Head::Block;
    return block;
  }
  case Head::Function:
    if (Syntax *global = global_method(node)) return global;
    return expand_function(node);
  case Head::Arrow: return expand_function(node);
  case Head::Let: return expand_let(node);
  case Head::Assign:
    if (Syntax *global = global_method(node)) return global;
    if (is_function_definition(node)) return expand_function(node);
    if (views_) return make(Head::Assign, node.at, {expand_target(*node.args[0]), expand(*node.args[1])});
    return expand_children(node);
  case Head::Comparison: {
    Syntax *dotted = dotted_comparison(node);
    return dotted ? expand(*dotted) : expand_children(node);
  }
  default: return expand_children(node);
  }
}

Syntax *Expander::expand_call(const Syntax &node) {
  const Syntax &callee = *node.args[0];
  // Arguments of throw and error are texts for readers. Compiled code makes no strings, and throws without
  // them.
  const bool throws =
      callee.is(Head::Identifier) && (callee.name.text() == "throw" || callee.name.text() == "error");
  const bool before = std::exchange(in_message_, in_message_ || throws);
  Syntax *copy = expand_children(node);
  in_message_ = before;
  if (callee.is(Head::Identifier) && callee.name.text() == "'" && node.args.size() == 2)
    copy->args[0] = base("adjoint", callee.at);
  if (fastmath_)
    if (Syntax *fast = fast_operator(callee, node.args.size() - 1)) {
      // In x^2 the literal exponent becomes a type parameter, Val(2), for Base.literal_pow.
      if (callee.name.text() == "^" && node.args[2]->is(Head::Literal) &&
          node.args[2]->literal.type() == shared_->types.builtins().Int64)
        copy->args[2] = call(base("Val", node.at), {copy->args[2]}, node.at);
      copy->args[0] = fast;
    }
  return copy;
}

Syntax *Expander::expand_op_assign(const Syntax &node) {
  Syntax *op = fastmath_ ? fast_operator(*node.args[0], 2) : nullptr;
  if (!op) op = expand(*node.args[0]);
  const Syntax &lhs = *node.args[1];
  if (lhs.is(Head::Identifier))
    return make(Head::Assign, node.at,
                {expand(lhs), call(op, {expand(lhs), expand(*node.args[2])}, node.at)});
  return make(Head::OpAssign, node.at, {op, expand_target(lhs), expand(*node.args[2])});
}

/// Expands the left side of an assignment. Inside @views it remains an element, while its indices become
/// views.
Syntax *Expander::expand_target(const Syntax &lhs) {
  if (!views_ || !(lhs.is(Head::Ref) || lhs.is(Head::Tuple))) return expand(lhs);
  Syntax *copy = make(lhs.head, lhs.at, {});
  for (const Syntax *child : lhs.args)
    copy->args.push_back(lhs.is(Head::Tuple) ? expand_target(*child) : expand(*child));
  return copy;
}

/// True if the source has parentheses around an element of a tuple: `(c = 5)` is an assignment, and `c = 5` a
/// named element. The syntax tree does not tell the two apart.
static bool is_parenthesised(const Shared &shared, const Syntax &element, const Syntax &tuple) {
  auto file = shared.world.sources().file(element.at.file);
  if (!file || tuple.at.file != element.at.file) return false;
  size_t before = element.at.begin;
  while (before > tuple.at.begin && file->text()[before - 1] == ' ') --before;
  return before > tuple.at.begin + 1 && file->text()[before - 1] == '(';
}

Syntax *Expander::expand_tuple(const Syntax &node) {
  bool named = false;
  for (const Syntax *element : node.args)
    named |=
        element->is(Head::Kw) || (element->is(Head::Assign) && !is_parenthesised(*shared_, *element, node));
  if (!named) return expand_children(node);
  // Rewrite (a = 1, b = 2) as (; a = 1, b = 2).
  Syntax *names = make(Head::Parameters, node.at, {});
  for (const Syntax *element : node.args) {
    if (element->is(Head::Assign) || element->is(Head::Kw)) {
      Syntax *kw =
          make(Head::Kw, element->at, {copy_tree(arena_, *element->args[0]), expand(*element->args[1])});
      names->args.push_back(kw);
    } else {
      names->args.push_back(expand(*element));
    }
  }
  return make(Head::Tuple, node.at, {names});
}

Syntax *Expander::expand_array(const Syntax &node) {
  std::vector<Syntax *> parts;
  bool rows = false;
  for (const Syntax *element : node.args) rows |= element->is(Head::Row);
  bool typed = node.is(Head::TypedHcat) || node.is(Head::TypedVcat);
  if (rows) {
    Value count = shared_->types.nothing();
    std::vector<Syntax *> lengths;
    for (size_t i = typed; i < node.args.size(); ++i) {
      const Syntax &row = *node.args[i];
      lengths.push_back(
          literal(shared_->types.int64(row.is(Head::Row) ? int64_t(row.args.size()) : 1), row.at));
      if (row.is(Head::Row))
        for (const Syntax *element : row.args) parts.push_back(expand(*element));
      else
        parts.push_back(expand(row));
    }
    parts.insert(parts.begin(), make(Head::Tuple, node.at, std::move(lengths)));
    if (typed) parts.insert(parts.begin(), expand(*node.args[0]));
    return call(base(typed ? "typed_hvcat" : "hvcat", node.at), std::move(parts), node.at);
  }
  for (const Syntax *element : node.args) parts.push_back(expand(*element));
  const char *name = node.is(Head::Vect)        ? "vect"
                     : node.is(Head::Hcat)      ? "hcat"
                     : node.is(Head::Vcat)      ? "vcat"
                     : node.is(Head::TypedHcat) ? "typed_hcat"
                                                : "typed_vcat";
  return call(base(name, node.at), std::move(parts), node.at);
}

/// Expands [a;; b] and its kin to ncat(dimension, T or nothing, parts...).
Syntax *Expander::expand_ncat(const Syntax &node) {
  const size_t first = node.is(Head::TypedNcat);
  Syntax *type = first ? expand(*node.args[0]) : literal(shared_->types.nothing(), node.at);
  std::vector<Syntax *> parts{expand(*node.args[first]), type};
  for (const Syntax *child : std::span(node.args).subspan(first + 1)) {
    std::vector<Syntax *> row;
    if (!child->is(Head::Row)) {
      parts.push_back(expand(*child));
      continue;
    }
    for (const Syntax *element : child->args) row.push_back(expand(*element));
    parts.push_back(call(base("hcat", child->at), std::move(row), child->at));
  }
  return call(base("ncat", node.at), std::move(parts), node.at);
}

Syntax *Expander::expand_generator(const Syntax &node) {
  const Syntax &body = *node.args[0];
  std::vector<const Syntax *> iterations(node.args.begin() + 1, node.args.end());
  const Syntax *condition = nullptr;
  if (iterations.size() == 1 && iterations[0]->is(Head::Filter)) {
    const Syntax &filter = *iterations[0];
    condition = filter.args[0];
    iterations.assign(filter.args.begin() + 1, filter.args.end());
  }
  std::vector<Syntax *> ranges;
  auto parameters = [&] {
    std::vector<Syntax *> targets;
    for (const Syntax *iteration : iterations) targets.push_back(copy_tree(arena_, *iteration->args[0]));
    Syntax *pattern = targets.size() == 1 ? targets[0] : make(Head::Tuple, node.at, targets);
    return make(Head::Tuple, node.at, {pattern});
  };
  for (const Syntax *iteration : iterations) {
    if (!iteration->is(Head::Assign)) return error(node.at, "this form of generator");
    ranges.push_back(expand(*iteration->args[1]));
  }
  Syntax *source = ranges.size() == 1 ? ranges[0]
                                      : call(dot(base("Iterators", node.at), "product", node.at),
                                             std::move(ranges), node.at);
  if (condition) {
    Syntax *test = make(Head::Arrow, condition->at, {parameters(), expand(*condition)});
    source = call(dot(base("Iterators", node.at), "filter", node.at), {test, source}, node.at);
  }
  Syntax *function = make(Head::Arrow, node.at, {parameters(), expand(body)});
  return call(base("Generator", node.at), {function, source}, node.at);
}

Syntax *Expander::expand_do(const Syntax &node) {
  Syntax *target = expand(*node.args[0]);
  if (!target->is(Head::Call))
    return target->is(Head::Error) ? target : error(node.at, "a do-block of something that is no call");
  size_t at = target->args.size() > 1 && target->args[1]->is(Head::Parameters) ? 2 : 1;
  target->args.insert(target->args.begin() + std::ptrdiff_t(at), expand(*node.args[1]));
  return target;
}

// ---- broadcasting: nested dotted calls become one loop

Syntax *Expander::dotted_operator(const Syntax &node) {
  if (node.is(Head::Identifier) &&
      (node.name.text() == "&&" || node.name.text() == "||")) // no function has the name of .&& or .||
    return base(node.name.text() == "&&" ? "both_hold" : "either_holds", node.at);
  if (fastmath_)
    if (Syntax *fast = fast_operator(node, 2)) return fast;
  return expand(node);
}

/// Expands the left side of a dotted assignment. A[i, :] .= ... writes to a view of A, and d[i] .= ... to the
/// array that is an element of d.
Syntax *Expander::dotted_target(const Syntax &node) {
  return node.is(Head::Ref) ? part_of(node) : expand(node);
}

/// Expands a part of an array to a view of it, and any other element to its value.
Syntax *Expander::part_of(const Syntax &node) {
  Syntax *name = arena_.make(Head::MacroName, node.at);
  name->name = shared_->symbol("@#maybeview");
  return make(Head::MacroCall, node.at, {name, expand_children(node)});
}

/// Makes a .< b .<= c a single dotted call, of a function that contains all operators. It compares element by
/// element, and evaluates each operand once.
Syntax *Expander::dotted_comparison(const Syntax &node) {
  std::vector<Syntax *> operators;
  for (size_t i = 1; i < node.args.size(); i += 2) {
    std::string_view name =
        node.args[i]->is(Head::Identifier) ? node.args[i]->name.text() : std::string_view();
    if (name.starts_with(".") && name.size() > 1)
      operators.push_back(arena_.identifier(intern(name.substr(1)), node.args[i]->at));
  }
  if (operators.empty()) return nullptr;
  if (operators.size() != node.args.size() / 2)
    return error(node.at, "a chain of comparisons of which only some are dotted");
  std::vector<Syntax *> args{
      call(base("CompareChain", node.at), {make(Head::Tuple, node.at, std::move(operators))}, node.at)};
  for (size_t i = 0; i < node.args.size(); i += 2) args.push_back(node.args[i]);
  return make(Head::DotCall, node.at, std::move(args));
}

Syntax *Expander::broadcast_argument(const Syntax &node) {
  if (node.is(Head::Comparison))
    if (Syntax *dotted = dotted_comparison(node); dotted && dotted->is(Head::DotCall))
      return broadcast(*dotted);
  return node.is(Head::DotCall) ? broadcast(node) : expand(node);
}

Syntax *Expander::broadcast(const Syntax &node) {
  std::vector<Syntax *> args{dotted_operator(*node.args[0])}, keywords;
  for (size_t i = 1; i < node.args.size(); ++i) {
    // keyword arguments do not broadcast: they are evaluated once, as in Julia
    if (node.args[i]->is(Head::Parameters) || node.args[i]->is(Head::Kw)) {
      if (node.args[i]->is(Head::Kw))
        keywords.push_back(node.args[i]);
      else
        keywords.insert(keywords.end(), node.args[i]->args.begin(), node.args[i]->args.end());
      continue;
    }
    if (i == 2 && node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "^" &&
        node.args[2]->is(Head::Literal) && node.args[2]->literal.type() == shared_->types.builtins().Int64) {
      // As x^2, x .^ 2 with a literal exponent calls Base.literal_pow.
      args.insert(args.begin(), base("literal_pow", node.at));
      args.push_back(call(base("Val", node.at), {expand(*node.args[2])}, node.at));
      continue;
    }
    args.push_back(broadcast_argument(*node.args[i]));
  }
  if (!keywords.empty()) {
    Syntax *named = make(Head::Tuple, node.at, {make(Head::Parameters, node.at, std::move(keywords))});
    args[0] = call(base("WithKeywords", node.at), {args[0], expand(*named)}, node.at);
  }
  return call(base("broadcasted", node.at), std::move(args), node.at);
}

} // namespace kiln::julia
