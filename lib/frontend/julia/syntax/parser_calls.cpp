// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"

namespace kiln::julia {

/// Parses what follows an operand: calls, indices, fields, do-blocks. `signature`: stops after the argument
/// list.
Syntax *Parser::suffixes(uint32_t start, Syntax *node, bool signature) {
  for (;;) {
    if (at_newline()) return node;
    switch (tok_.kind) {
    case Tok::LParen:
    case Tok::LBracket:
    case Tok::LBrace:
      if (tok_.space_before) {
        if (ctx_.space_sensitive || at(Tok::LBrace)) return node;
        fail_here(at(Tok::LParen) ? "no space is allowed before `(` of a call"
                                  : "no space is allowed before `[` of a reference");
      }
      if (at(Tok::LParen)) {
        if (previous_.kind == Tok::Number) return node; // 2(x) is a product
        node = call_suffix(start, node, false);
        if (signature) return node;
      } else if (at(Tok::LBracket)) {
        node = index_suffix(start, node);
      } else {
        node = braces_parameters(start, node);
      }
      break;
    case Tok::Dot: {
      if (tok_.space_before && ctx_.space_sensitive) return node;
      if (tok_.space_before) fail_here("no space is allowed before the `.` of a field");
      if (lexer_.peek(tok_.end) == '(') {
        advance();
        node = call_suffix(start, node, true);
      } else {
        const Tok next = lexer_.peek(tok_.end) == '@' ? Tok::At : Tok::Dot;
        node = dot_suffix(start, node);
        if (next == Tok::At) return node;
      }
      break;
    }
    case Tok::Prime: {
      if (tok_.space_before) return node;
      Syntax *adjoint = arena_.identifier(symbol("'"), span(tok_));
      advance();
      node = make(Head::Call, start, adjoint, node);
      break;
    }
    case Tok::DoubleQuote:
    case Tok::Backtick:
      if (tok_.space_before || !node->is(Head::Identifier) || previous_.kind != Tok::Identifier) return node;
      node = string_macro(start, node, nullptr);
      break;
    case Tok::KwDo:
      if (signature || !(node->is(Head::Call) || node->is(Head::DotCall) || node->is(Head::MacroCall)))
        return node;
      node = do_block(start, node);
      break;
    default: return node;
    }
  }
}

Syntax *Parser::with_arguments(Head head, uint32_t start, Syntax *callee, Items items) {
  Args args;
  args.reserve(items.args.size() + 2);
  args.push_back(callee);
  if (items.semicolons > 0) args.push_back(make(Head::Parameters, start, std::move(items.params)));
  args.insert(args.end(), items.args.begin(), items.args.end());
  return make(head, start, std::move(args));
}

Syntax *Parser::call_suffix(uint32_t start, Syntax *callee, bool dotted) {
  Syntax *call = with_arguments(dotted ? Head::DotCall : Head::Call, start, callee, items(Tok::RParen, true));
  if (watch_) see_made_symbol(*call);
  return call;
}

/// Reports the name that Symbol("ra", "nd") makes of literals, as if the text contained it (:rand).
void Parser::see_made_symbol(const Syntax &call) {
  if (!call.args[0]->is(Head::Identifier) || call.args[0]->name.text() != "Symbol") return;
  std::string name;
  for (const Syntax *part : std::span(call.args).subspan(1)) {
    if (const std::string *text = part->literal ? part->literal.as_string() : nullptr)
      name += *text;
    else if (Symbol symbol = part->literal ? part->literal.as_symbol() : Symbol())
      name += symbol.text();
    else
      return;
  }
  watch_->see(name);
}

Syntax *Parser::do_block(uint32_t start, Syntax *call) {
  const Token open = tok_;
  In normal_context(*this, normal());
  advance();
  Args parameters;
  const uint32_t parameters_start = tok_.begin;
  if (!at_newline() && !at(Tok::Semicolon)) {
    parameters.push_back(infix(Prec::Colon));
    while (at(Tok::Comma)) {
      advance();
      parameters.push_back(infix(Prec::Colon));
    }
  }
  Syntax *tuple = make(Head::Tuple, parameters.empty() ? span(open) : span(parameters_start, previous_.end),
                       std::move(parameters));
  Syntax *body = block();
  expect_end(open);
  Syntax *arrow = make(Head::Arrow, open.begin, tuple, body);
  return make(Head::Do, start, call, arrow);
}

/// Parses a.b, a.:b, a.$b, A.@m and A.x"..". The caller parses a.(b).
Syntax *Parser::dot_suffix(uint32_t start, Syntax *object) {
  advance();
  switch (tok_.kind) {
  case Tok::At: return macro_call(start, object);
  case Tok::Dollar: {
    const uint32_t name_start = tok_.begin;
    Syntax *name = prefix();
    return make(Head::Dot, start, object, make(Head::Quote, name_start, name));
  }
  case Tok::Colon: {
    Syntax *name = quote_colon();
    const bool is_index = name->is(Head::Literal) &&
                          name->literal.type() == types_.builtins().Int64; // x.:1 is getproperty(x, 1)
    if ((name->is(Head::Literal) && !is_index) || name->is(Head::Identifier))
      fail(name->at, "expected a name after `.:`");
    return make(Head::Dot, start, object, name);
  }
  case Tok::DoubleQuote: {
    Syntax *name = string();
    return make(Head::Dot, start, object, name);
  }
  default: break;
  }
  if (at(Tok::Identifier) && lexer_.peek(tok_.end) == '"' && text(tok_) == "var") {
    Syntax *name = atom();
    return make(Head::Dot, start, object, quoted(name->name, name->at));
  }
  if (at(Tok::Identifier) && (lexer_.peek(tok_.end) == '"' || lexer_.peek(tok_.end) == '`')) {
    Syntax *name = identifier(tok_);
    advance();
    return string_macro(start, name, object);
  }
  const bool word =
      at(Tok::Identifier) || is_keyword(tok_.kind) || at(Tok::In) || at(Tok::Isa) || at(Tok::Where);
  const bool is_called_operator = is_operator(tok_.kind) && !tok_.dotted && !at(Tok::Assign) &&
                                  !at(Tok::OpAssign) && lexer_.peek(tok_.end) == '('; // Base. *(x, y)
  if (!word && !is_called_operator) fail_expected("a field name after `.`");
  Syntax *name = quoted(symbol(text(tok_)), span(tok_));
  advance();
  previous_.kind = Tok::Identifier; // a.end is not a keyword
  return make(Head::Dot, start, object, name);
}

Syntax *Parser::index_suffix(uint32_t start, Syntax *indexed) {
  Context inside = ctx_;
  inside.end_symbol = true;
  In in(*this, inside);
  return array(indexed, start);
}

Syntax *Parser::braces_parameters(uint32_t start, Syntax *type) {
  Items list = items(Tok::RBrace, false);
  if (list.semicolons > 0) fail(span(start, previous_.end), "`;` has no meaning in type parameters");
  list.args.insert(list.args.begin(), type);
  return make(Head::Curly, start, std::move(list.args));
}

} // namespace kiln::julia
