// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quote.h"

namespace kiln::julia {

/// Returns `child`, or the interpolation inside of it in a.$name, where the parser wraps `$name` in a quote.
static const Syntax &without_quote(const Syntax &parent, const Syntax &child) {
  bool is_name = parent.is(Head::Dot) && child.is(Head::Quote) && child.args.size() == 1 &&
                 child.args[0]->is(Head::Interpolation);
  return is_name ? *child.args[0] : child;
}

bool holds_name(const Syntax &node, std::string_view name) {
  return (node.is(Head::Identifier) && node.name.text() == name) ||
         std::ranges::any_of(node.args, [&](const Syntax *child) { return holds_name(*child, name); });
}

// ---- substitution

static void set_scope(Syntax &node, uint32_t scope) {
  if (scope && (node.is(Head::Identifier) || node.is(Head::MacroName)) && node.scope == 0) node.scope = scope;
  for (Syntax *child : node.args) set_scope(*child, scope);
}

/// Text of a symbol, string or number, as an argument of Symbol(...) or string(...). No value: another
/// expression.
static std::optional<std::string> text_of(const Syntax &node) {
  if (node.is(Head::Identifier)) return std::string(node.name.text());
  if (node.is(Head::QuotedSymbol) || node.is(Head::Literal)) {
    if (Symbol symbol = node.literal.as_symbol()) return std::string(symbol.text());
    if (const std::string *text = node.literal.as_string()) return *text;
    if (node.literal.type()->as<DataType>() &&
        node.literal.type()->as<DataType>()->name().name.text() == "Char")
      return std::nullopt; // only the interpreter knows the text of a Char
    return to_string(node.literal);
  }
  if (node.is(Head::Quote) && node.args.size() == 1) return text_of(*node.args[0]);
  return std::nullopt;
}

Result<Syntax *> substitute_expression(Shared &shared, SyntaxArena &arena, const Syntax &node,
                                       const Substitution &names, uint32_t scope) {
  auto fail = [&]() -> Error {
    return shared.error(ErrorCode::Input,
                        fmt::format("`$({})` needs code to run while definitions are read", brief(node)),
                        node.at);
  };
  switch (node.head) {
  case Head::Identifier: {
    auto it = names.find(node.name.text());
    if (it == names.end()) return fail();
    Syntax *copy = copy_tree(arena, *it->second);
    set_scope(*copy, scope);
    return copy;
  }
  case Head::Literal: return copy_tree(arena, node);
  case Head::QuotedSymbol: return arena.identifier(node.literal.as_symbol(), node.at);
  case Head::Quote: return substitute(shared, arena, *node.args[0], names, scope);
  case Head::Block:
    if (node.args.size() == 1) return substitute_expression(shared, arena, *node.args[0], names, scope);
    return fail();
  case Head::StringInterpolation: {
    std::string text;
    for (const Syntax *part : node.args) {
      KILN_TRY(Syntax * piece, substitute_expression(shared, arena, *part, names, scope));
      std::optional<std::string> piece_text = text_of(*piece);
      if (!piece_text) return fail();
      text += *piece_text;
    }
    return arena.literal(shared.string(text), node.at);
  }
  case Head::Call: {
    if (!node.args[0]->is(Head::Identifier)) return fail();
    std::string_view callee = node.args[0]->name.text();
    if (callee == "esc" && node.args.size() == 2)
      return substitute_expression(shared, arena, *node.args[1], names, 0);
    if (callee == "Symbol" || callee == "string" || callee == "*") {
      std::string text;
      for (size_t i = 1; i < node.args.size(); ++i) {
        KILN_TRY(Syntax * piece, substitute_expression(shared, arena, *node.args[i], names, scope));
        std::optional<std::string> piece_text = text_of(*piece);
        if (!piece_text) return fail();
        text += *piece_text;
      }
      if (callee == "Symbol") {
        NameWatch names(shared.watched_names());
        names.see(text);
        KILN_CHECK(shared.load_named(names));
        return arena.identifier(shared.symbol(text), node.at);
      }
      return arena.literal(shared.string(text), node.at);
    }
    if ((callee == "QuoteNode" || callee == "Meta.quot") && node.args.size() == 2) {
      KILN_TRY(Syntax * inner, substitute_expression(shared, arena, *node.args[1], names, scope));
      if (!inner->is(Head::Identifier)) return inner;
      Syntax *quoted = arena.make(Head::QuotedSymbol, node.at);
      quoted->literal = Value::symbol(shared.types, inner->name);
      return quoted;
    }
    // A template cannot contain a call of any other function, which the interpreter must run.
    return fail();
  }
  default: return fail();
  }
}

Result<Syntax *> substitute(Shared &shared, SyntaxArena &arena, const Syntax &node, const Substitution &names,
                            uint32_t scope, int depth) {
  if (node.is(Head::Quote))
    ++depth;
  else if (node.is(Head::Interpolation) && depth > 0)
    --depth;
  else if (node.is(Head::Interpolation)) {
    const Syntax &inner = *node.args[0];
    return substitute_expression(shared, arena, inner, names, scope);
  }
  Syntax *copy = copy_node(arena, node);
  copy->scope = node.scope ? node.scope : (node.is(Head::Identifier) || node.is(Head::MacroName) ? scope : 0);
  copy->args.reserve(node.args.size());
  for (const Syntax *child : node.args) {
    KILN_TRY(Syntax * part, substitute(shared, arena, without_quote(node, *child), names, scope, depth));
    // Lists cannot be substituted for $(args...): the quote must be evaluated.
    if (depth == 0 && child->is(Head::Interpolation) && child->args[0]->is(Head::Splat))
      return shared.error(ErrorCode::Input, "interpolation of a splatted list", child->at);
    // In a.$name the substituted name becomes a symbol, since it is a field's name.
    if (node.is(Head::Dot) && copy->args.size() == 1 && part->is(Head::Identifier)) {
      Syntax *quoted = arena.make(Head::QuotedSymbol, part->at);
      quoted->literal = Value::symbol(shared.types, part->name);
      part = quoted;
    }
    if (node.is(Head::Dot) && copy->args.size() == 1 && part->is(Head::Quote) && part->args.size() == 1 &&
        part->args[0]->is(Head::Identifier)) {
      Syntax *quoted = arena.make(Head::QuotedSymbol, part->at);
      quoted->literal = Value::symbol(shared.types, part->args[0]->name);
      part = quoted;
    }
    copy->args.push_back(part);
  }
  return copy;
}

Value line_node(const Shared &shared, Span at) {
  TypeContext &types = shared.types;
  const Location place = shared.locate(at);
  return Value::structure(types.builtins().LineNumberNode,
                          {types.int64(place ? int64_t(place.line()) : 0),
                           place ? Value::symbol(types, types.symbol(place.file_name())) : types.nothing()});
}

bool has_line(const Syntax &node, size_t index) {
  return node.is(Head::Block) &&
         (node.lines <= BlockLines::Definition || (node.lines == BlockLines::Between && index > 0));
}

size_t quoted_size(const Syntax &node) {
  size_t size = node.args.size();
  if (node.is(Head::Try))
    while (size > 3 && node.args[size - 1]->is(Head::Literal)) --size;
  return size;
}

const Syntax &quoted_child(const Syntax &node, size_t index) {
  const Syntax &child = *node.args[index];
  if (node.is(Head::Let) && index == 0 && child.args.size() == 1)
    if (const Syntax &only = *child.args[0];
        only.is(Head::Identifier) || only.is(Head::Assign) || only.is(Head::TypeAssert))
      return only;
  return without_quote(node, child);
}

Value doc_macro(const Shared &shared) {
  TypeContext &types = shared.types;
  return Value::structure(types.builtins().GlobalRef, {Value::module(types, shared.world.core()),
                                                       Value::symbol(types, types.symbol("@doc"))});
}

QuotedDotCall::QuotedDotCall(const Shared &shared, const Syntax &dotted) {
  Syntax *callee = dotted.args[0];
  whole.at = part.at = dotted.at;
  if (callee->is(Head::Identifier) && is_operator_name(callee->name.text())) {
    part = *callee;
    part.name = shared.types.symbol("." + callee->name.str());
    whole.head = Head::Call;
    whole.args = dotted.args;
    whole.args[0] = &part;
  } else {
    part.head = Head::Tuple;
    part.args.assign(dotted.args.begin() + 1, dotted.args.end());
    whole.head = Head::Dot;
    whole.args = {callee, &part};
  }
}

// ---- quotes as code

Syntax *quote_to_calls(Expander &expander, const Syntax &node, int depth, Span definition) {
  if (node.is(Head::DotCall))
    return quote_to_calls(expander, QuotedDotCall(expander.shared(), node).whole, depth);
  switch (node.head) {
  case Head::Interpolation: // inside of a nested quote, the interpolation belongs to that quote
    if (depth == 0) return expander.expand(*node.args[0]);
    --depth;
    break;
  case Head::Quote: ++depth; break;
  case Head::Identifier: return expander.symbol(node.name, node.at);
  case Head::MacroName:
    if (node.args.empty()) return expander.symbol(node.name, node.at);
    break;
  case Head::Literal: return expander.literal(node.literal, node.at);
  case Head::QuotedSymbol:
    return expander.call(expander.core("Expr", node.at),
                         {expander.symbol(expander.intern("inert"), node.at),
                          expander.symbol(node.literal.as_symbol(), node.at)},
                         node.at);
  default: break;
  }
  std::vector<Syntax *> args;
  std::string_view head = head_text(node.head);
  size_t from = 0;
  std::string op;
  if (node.is(Head::OpAssign) || node.is(Head::DotOpAssign)) { // Expr(:+=, a, b)
    op = std::string(node.is(Head::DotOpAssign) ? "." : "") + std::string(node.args[0]->name.text()) + "=";
    head = op;
    from = 1;
  }
  auto line = [&](Span at) { return expander.literal(line_node(expander.shared(), at), at); };
  if (node.is(Head::Block) && node.lines == BlockLines::Definition) args.push_back(line(definition));
  for (size_t i = from; i < quoted_size(node); ++i) {
    const Syntax &child = quoted_child(node, i);
    if (has_line(node, i)) args.push_back(line(child.at));
    if (child.is(Head::Interpolation) && child.args[0]->is(Head::Splat) && depth == 0)
      args.push_back(expander.make(Head::Splat, child.at, {expander.expand(*child.args[0]->args[0])}));
    else
      args.push_back(quote_to_calls(expander, child, depth, node.at));
  }
  if (node.is(Head::MacroCall)) // as in Julia, the second argument of a macro call is its line
    args.insert(args.begin() + 1, line(node.at));
  if (node.is(Head::Doc)) {
    args.insert(args.begin(), {expander.literal(doc_macro(expander.shared()), node.at), line(node.at)});
    head = head_text(Head::MacroCall);
  }
  if (has_line(node, 0) && node.args.empty()) args.push_back(line(node.at));
  args.insert(args.begin(), expander.symbol(expander.intern(head), node.at));
  // Also pass the source position, so that errors in generated code show the line of the quote.
  for (uint32_t n : {node.at.end, node.at.begin, node.at.file})
    args.insert(args.begin(), expander.integer(n, node.at));
  return expander.call(expander.core("#expr_at", node.at), std::move(args), node.at);
}

} // namespace kiln::julia
