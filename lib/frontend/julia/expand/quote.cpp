// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quote.h"

namespace kiln::julia {

/// Returns `child`, or the interpolation inside of it in a.$name, where the parser wraps `$name` in a quote.
static const Syntax &without_quote(const Syntax &parent, const Syntax &child) {
  bool is_name = parent.is(Head::Dot) && child.is(Head::Quote) && child.args.size() == 1 &&
                 child.args[0]->is(Head::Interpolation);
  return is_name ? *child.args[0] : child;
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
  Syntax *copy = arena.make(node.head, node.at);
  copy->name = node.name;
  copy->literal = node.literal;
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

// ---- quotes as code

Syntax *quote_to_calls(Expander &expander, const Syntax &node, int depth) {
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
  for (size_t i = from; i < node.args.size(); ++i) {
    const Syntax &child = without_quote(node, *node.args[i]);
    if (child.is(Head::Interpolation) && child.args[0]->is(Head::Splat) && depth == 0)
      args.push_back(expander.make(Head::Splat, child.at, {expander.expand(*child.args[0]->args[0])}));
    else
      args.push_back(quote_to_calls(expander, child, depth));
  }
  if (node.is(Head::MacroCall)) // as in Julia, the second argument of a macro call is its line
    args.insert(args.begin() + 1, expander.literal(line_node(expander.shared(), node.at), node.at));
  args.insert(args.begin(), expander.symbol(expander.intern(head), node.at));
  // Also pass the source position, so that errors in generated code show the line of the quote.
  for (uint32_t n : {node.at.end, node.at.begin, node.at.file})
    args.insert(args.begin(), expander.integer(n, node.at));
  return expander.call(expander.core("#expr_at", node.at), std::move(args), node.at);
}

// ---- Expr values

Value syntax_to_value(Shared &shared, const Syntax &node) {
  TypeContext &types = shared.types;
  switch (node.head) {
  case Head::Identifier: return Value::symbol(types, node.name);
  case Head::Literal: return node.literal;
  case Head::MacroName:
    if (node.args.empty()) return Value::symbol(types, node.name);
    break;
  default: break;
  }
  auto expr = std::make_shared<ExprObject>();
  expr->at = node.at;
  size_t from = 0;
  if (node.is(Head::OpAssign) || node.is(Head::DotOpAssign)) {
    expr->head = types.symbol(std::string(node.is(Head::DotOpAssign) ? "." : "") +
                              std::string(node.args[0]->name.text()) + "=");
    from = 1;
  } else if (node.is(Head::QuotedSymbol)) {
    expr->head = types.symbol("inert");
    expr->args.push_back(node.literal);
    return Value::expr(types, expr);
  } else {
    expr->head = types.symbol(head_text(node.head));
  }
  for (size_t i = from; i < node.args.size(); ++i) {
    expr->args.push_back(syntax_to_value(shared, *node.args[i]));
    if (node.is(Head::MacroCall) && i == 0) expr->args.push_back(line_node(shared, node.at));
  }
  return Value::expr(types, expr);
}

namespace {

constexpr uint32_t max_levels = 10'000; // depth limit: see Interpreter::on_deep_stack

/// Converts code values to syntax.
class SyntaxOfValue {
public:
  SyntaxOfValue(Shared &shared, SyntaxArena &arena, uint64_t max_nodes)
      : shared_(shared), arena_(arena), names_(shared.watched_names()), max_nodes_(max_nodes) {}
  Result<Syntax *> convert(const Value &value, Span at);
  const NameWatch &names() const { return names_; } ///< names in the code

private:
  Shared &shared_;
  SyntaxArena &arena_;
  NameWatch names_;
  uint64_t nodes_ = 0, max_nodes_;
  uint32_t level_ = 0;
};

Result<Syntax *> SyntaxOfValue::convert(const Value &value, Span at) {
  Shared &shared = shared_;
  SyntaxArena &arena = arena_;
  if (++nodes_ > max_nodes_)
    return shared.error(ErrorCode::Input, fmt::format("an Expr of more than {} nodes", max_nodes_), at);
  if (level_ == max_levels)
    return shared.error(
        ErrorCode::StackOverflowError,
        fmt::format("an Expr that nests more than {} levels deep, or holds itself", max_levels), at);
  struct Deeper {
    uint32_t &level;
    explicit Deeper(uint32_t &l) : level(l) { ++level; }
    ~Deeper() { --level; }
  } deeper(level_);
  if (Symbol symbol = value.as_symbol()) {
    names_.see(symbol.text());
    Syntax *node = arena.identifier(symbol, at);
    if (symbol.text().starts_with("@")) node->head = Head::MacroName;
    return node;
  }
  ExprObject *expr = value.as_expr();
  if (!expr) return arena.literal(value, at);
  Span here = expr->at ? expr->at : at;
  std::string_view head = expr->head.text();
  std::vector<Value> args = expr->args;
  auto child = [&](const Value &v) { return convert(v, here); };
  if (head == "escape") { // `escape` has no entry in heads.def; resolve_escapes() handles it
    Syntax *escape = arena.make(Head::Call, here, {arena.identifier(shared.symbol("#escape"), here)});
    for (const Value &arg : args) {
      KILN_TRY(Syntax * part, child(arg));
      escape->args.push_back(part);
    }
    return escape;
  }
  if (head == "inert" && args.size() == 1 && args[0].as_symbol()) {
    names_.see(args[0].as_symbol().text());
    Syntax *node = arena.make(Head::QuotedSymbol, here);
    node->literal = args[0];
    return node;
  }
  if (head == "inert" && args.size() == 1) { // QuoteNode(x): x itself
    KILN_TRY(Syntax * inner, child(args[0]));
    return args[0].as_expr() ? arena.make(Head::Quote, here, {inner}) : inner;
  }
  if (head == "meta" || head == "loopinfo" || head == "inbounds" || head == "line" || head == "aliasscope" ||
      head == "popaliasscope") // hints for Julia's compiler
    return arena.literal(shared.types.nothing(), here);
  if (head == "new" || head == "splatnew") { // as in Julia's generated code
    Syntax *made =
        arena.make(Head::Call, here, {arena.literal(shared.intrinsic(Intrinsic::newtuple_), here)});
    for (const Value &arg : args) {
      KILN_TRY(Syntax * part, child(arg));
      made->args.push_back(part);
    }
    if (head == "splatnew" && made->args.size() == 3)
      made->args[2] = arena.make(Head::Splat, here, {made->args[2]});
    return made;
  }
  if (head == "boundscheck") return arena.literal(shared.types.boolean(true), here);
  if (head == "macrocall" && args.size() >= 2) args.erase(args.begin() + 1); // the line
  std::optional<Head> found;
  for (int i = 0; i <= int(Head::Error); ++i)
    if (head_text(Head(i)) == head && Head(i) != Head::Identifier && Head(i) != Head::Literal)
      found = Head(i);
  if (!found && head.size() > 1 && head.ends_with("=")) {
    bool dotted = head.starts_with(".");
    Syntax *node = arena.make(dotted ? Head::DotOpAssign : Head::OpAssign, here);
    node->args.push_back(
        arena.identifier(shared.symbol(head.substr(dotted, head.size() - 1 - dotted)), here));
    for (const Value &arg : args) {
      KILN_TRY(Syntax * part, child(arg));
      node->args.push_back(part);
    }
    return node;
  }
  if (!found) return shared.error(ErrorCode::Input, fmt::format("an Expr of head `{}`", head), here);
  Syntax *node = arena.make(*found, here);
  for (const Value &arg : args) {
    if (*found == Head::Block && arg.type() == shared.types.builtins().LineNumberNode) continue;
    KILN_TRY(Syntax * part, child(arg));
    if (*found == Head::Dot && node->args.size() == 1 && arg.as_symbol()) { // a.$name
      part->head = Head::QuotedSymbol;
      part->literal = arg;
    }
    node->args.push_back(part);
  }
  return node;
}

} // namespace

Result<Syntax *> value_to_syntax(Shared &shared, SyntaxArena &arena, const Value &value, Span at,
                                 uint64_t max_nodes) {
  SyntaxOfValue conversion(shared, arena, max_nodes);
  KILN_TRY(Syntax * syntax, conversion.convert(value, at));
  KILN_CHECK(shared.load_named(conversion.names()));
  return syntax;
}

} // namespace kiln::julia
