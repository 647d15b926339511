// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts syntax to values of type Expr, and back.
#include "quote.h"

namespace kiln::julia {

namespace {

/// An argument of a macro as a value, and the scope of its identifiers.
struct Argument {
  Value value;
  std::optional<uint32_t> scope; ///< no value: there are no identifiers
  bool is_mixed = false;         ///< the identifiers have several scopes
};

/// Converts syntax to values. `caller`: scope of the macro call that gets the value. Identifiers of the
/// expansions around the call become Expr(:escape, x).
class ValueOfSyntax {
public:
  ValueOfSyntax(Shared &shared, uint32_t caller) : shared_(shared), caller_(caller) {}
  Value escaped(const Argument &argument) const {
    Value value = argument.value;
    if (argument.is_mixed || !argument.scope) return value;
    for (size_t n = shared_.levels_between(caller_, *argument.scope); n > 0; --n) {
      auto expr = std::make_shared<ExprObject>();
      expr->head = shared_.types.symbol("escape");
      expr->args.push_back(std::move(value));
      value = Value::expr(shared_.types, expr);
    }
    return value;
  }
  Argument convert(const Syntax &node, Span definition = {}) const;

private:
  Shared &shared_;
  uint32_t caller_;
};

Argument ValueOfSyntax::convert(const Syntax &node, Span definition) const {
  TypeContext &types = shared_.types;
  if (node.is(Head::DotCall)) return convert(QuotedDotCall(shared_, node).whole);
  switch (node.head) {
  case Head::Identifier: return {Value::symbol(types, node.name), node.scope};
  case Head::Literal: return {node.literal};
  case Head::MacroName:
    if (node.args.empty()) return {Value::symbol(types, node.name), node.scope};
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
    return {Value::expr(types, expr)};
  } else {
    expr->head = types.symbol(head_text(node.is(Head::Doc) ? Head::MacroCall : node.head));
    if (node.is(Head::Doc)) expr->args = {doc_macro(shared_), line_node(shared_, node.at)};
  }
  std::vector<Argument> parts;
  Argument whole;
  if (node.is(Head::Block) && node.lines == BlockLines::Definition)
    parts.push_back({line_node(shared_, definition)});
  for (size_t i = from; i < quoted_size(node); ++i) {
    if (has_line(node, i)) parts.push_back({line_node(shared_, node.args[i]->at)});
    Argument &part = parts.emplace_back(convert(quoted_child(node, i), node.at));
    if (node.is(Head::Kw) && i == 0) part.scope = std::nullopt; // a keyword's name
    whole.is_mixed |= part.is_mixed || (part.scope && whole.scope && *part.scope != *whole.scope);
    if (part.scope) whole.scope = part.scope;
  }
  if (has_line(node, 0) && node.args.empty()) parts.push_back({line_node(shared_, node.at)});
  if (node.is(Head::Quote)) whole = {}; // quoted names have no scope
  for (size_t i = 0; i < parts.size(); ++i) {
    expr->args.push_back(whole.is_mixed ? escaped(parts[i]) : parts[i].value);
    if (node.is(Head::MacroCall) && i == 0) expr->args.push_back(line_node(shared_, node.at));
  }
  whole.value = Value::expr(types, expr);
  return whole;
}

} // namespace

Value syntax_to_value(Shared &shared, const Syntax &node, uint32_t caller) {
  const ValueOfSyntax conversion(shared, caller);
  return conversion.escaped(conversion.convert(node));
}

namespace {

constexpr uint32_t max_levels = 10'000; // depth limit: see Interpreter::on_deep_stack

/// Converts code values to syntax.
class SyntaxOfValue {
public:
  SyntaxOfValue(Shared &shared, SyntaxArena &arena, uint64_t max_nodes, bool prints)
      : shared_(shared), arena_(arena), names_(shared.watched_names()), max_nodes_(max_nodes),
        prints_(prints) {}
  Result<Syntax *> convert(const Value &value, Span at);
  const NameWatch &names() const { return names_; } ///< names in the code

private:
  Shared &shared_;
  SyntaxArena &arena_;
  NameWatch names_;
  uint64_t nodes_ = 0, max_nodes_;
  uint32_t level_ = 0;
  bool prints_; ///< keeps line numbers, as names `#= file:line =#`
  Span place_of(const Value &line, Span otherwise) const;
  std::optional<std::vector<Value>> dotted_call(const ExprObject &expr) const;
  Syntax *quoted(const Value &symbol, Span at) {
    names_.see(symbol.as_symbol().text());
    Syntax *node = arena_.make(Head::QuotedSymbol, at);
    node->literal = symbol;
    return node;
  }
};

/// Returns the function and the arguments of a dotted call, which QuotedDotCall describes.
std::optional<std::vector<Value>> SyntaxOfValue::dotted_call(const ExprObject &expr) const {
  std::vector<Value> parts = expr.args;
  if (expr.head.text() == "call" && !parts.empty() && parts[0].as_symbol()) {
    const std::string_view name = parts[0].as_symbol().text();
    if (name.size() < 2 || name[0] != '.' || name[1] == '.' || !is_operator_name(name.substr(1)))
      return std::nullopt;
    parts[0] = Value::symbol(shared_.types, shared_.symbol(name.substr(1)));
    return parts;
  }
  const ExprObject *tuple = expr.head.text() == "." && parts.size() == 2 ? parts[1].as_expr() : nullptr;
  if (!tuple || tuple->head.text() != "tuple") return std::nullopt;
  parts.resize(1);
  parts.insert(parts.end(), tuple->args.begin(), tuple->args.end());
  return parts;
}

/// Returns a LineNumberNode as Julia prints it.
std::string line_text(const Value &line) {
  const std::vector<Value> &fields = *line.fields();
  const Symbol file = fields[1].as_symbol();
  return fmt::format("#= {}{} =#", file ? file.str() + ":" : "line ", to_string(fields[0]));
}

/// Returns the place of a LineNumberNode.
Span SyntaxOfValue::place_of(const Value &line, Span otherwise) const {
  const auto *fields = line.fields();
  if (!fields || fields->size() != 2 || !(*fields)[1].as_symbol()) return otherwise;
  const Location place =
      shared_.world.sources().locate_line((*fields)[1].as_symbol().text(), uint32_t((*fields)[0].low_bits()));
  return place ? Span{place.file->id(), place.begin, place.end} : otherwise;
}

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
  if (!expr && value.type() == shared.types.builtins().GlobalRef)
    return arena.make(Head::Dot, at,
                      {arena.literal((*value.fields())[0], at), quoted((*value.fields())[1], at)});
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
  if ((head == "inert" || head == "quote") && args.size() == 1 && args[0].as_symbol())
    return quoted(args[0], here);
  if (head == "inert" && args.size() == 1) { // QuoteNode(x): x itself
    KILN_TRY(Syntax * inner, child(args[0]));
    return args[0].as_expr() ? arena.make(Head::Quote, here, {inner}) : inner;
  }
  if (head == "meta" || head == "loopinfo" || head == "inbounds" || head == "line" || head == "aliasscope" ||
      head == "popaliasscope") // hints for Julia's compiler, which code keeps and lowering drops
    return arena.literal(value, here);
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
  if (head == "macrocall" && args.size() >= 3 && args[0] == doc_macro(shared)) {
    KILN_TRY(Syntax * text, child(args[1]));
    KILN_TRY(Syntax * documented, child(args[2]));
    return arena.make(Head::Doc, here, {text, documented});
  }
  if (std::optional<std::vector<Value>> dotted = dotted_call(*expr)) {
    Syntax *node = arena.make(Head::DotCall, here);
    for (const Value &part : *dotted) {
      KILN_TRY(Syntax * syntax, child(part));
      node->args.push_back(syntax);
    }
    return node;
  }
  if ((head == "&&" || head == "||" || head == "where") && args.size() == 1) return child(args[0]);
  if ((head == "&&" || head == "||") && args.size() > 2) { // a && (b && c)
    auto rest = std::make_shared<ExprObject>(*expr);
    rest->args.erase(rest->args.begin());
    args.resize(1);
    args.push_back(Value::expr(shared.types, rest));
  }
  if (head == "try" && args.size() == 2) args.push_back(shared.types.boolean(false));
  while (head == "try" && args.size() < 5) args.push_back(shared.types.boolean(false));
  std::optional<Head> found;
  for (int i = 0; i <= int(Head::Error); ++i)
    if (head_text(Head(i)) == head && Head(i) != Head::Identifier && Head(i) != Head::Literal)
      found = Head(i);
  if (found == Head::Unread || found == Head::Postponed || found == Head::Error)
    found.reset(); // the parser's
  if (!found && head.size() > 1 && head.ends_with("=") && args.size() == 2) {
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
  if (*found == Head::Block) node->lines = BlockLines::None;
  const Value *line = nullptr; // the last LineNumberNode
  for (const Value &arg : args) {
    if (*found == Head::Block && arg.type() == shared.types.builtins().LineNumberNode) {
      if (node->args.empty()) node->lines = BlockLines::Before;
      if (node->args.size() == 1 && !line) node->lines = BlockLines::Between;
      line = &arg;
      if (prints_) node->args.push_back(arena.identifier(shared.symbol(line_text(arg)), here));
      continue;
    }
    const bool is_placed = !line || !arg.as_expr() || arg.as_expr()->at;
    KILN_TRY(Syntax * part, convert(arg, is_placed ? here : place_of(*line, here)));
    if (*found == Head::Dot && node->args.size() == 1 && arg.as_symbol()) { // a.$name
      part->head = Head::QuotedSymbol;
      part->literal = arg;
    }
    node->args.push_back(part);
  }
  if (!is_well_formed(*node))
    return shared.error(
        ErrorCode::Input,
        fmt::format("malformed expression: an Expr of head `{}` with {} arguments", head, expr->args.size()),
        here);
  return node;
}

} // namespace

Result<Syntax *> value_to_syntax(Shared &shared, SyntaxArena &arena, const Value &value, Span at,
                                 uint64_t max_nodes, bool prints) {
  SyntaxOfValue conversion(shared, arena, max_nodes, prints);
  KILN_TRY(Syntax * syntax, conversion.convert(value, at));
  KILN_CHECK(shared.load_named(conversion.names()));
  return syntax;
}

} // namespace kiln::julia
