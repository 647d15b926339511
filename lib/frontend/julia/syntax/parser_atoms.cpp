// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers.h"
#include "parser_core.h"

namespace kiln::julia {

/// $x, ::T, or an atom.
Syntax *Parser::prefix() {
  if (!at(Tok::Dollar) && !at(Tok::DoubleColon)) return atom();
  const Token op = tok_;
  advance();
  if ((at_closer() || at_newline()) && op.kind == Tok::Dollar) return operator_identifier(op);
  Deeper level(*this);
  if (op.kind == Tok::Dollar) {
    Syntax *inner = prefix();
    return make(Head::Interpolation, op.begin, inner);
  }
  const uint32_t type_start = tok_.begin;
  Syntax *type = call_level();
  if (at(Tok::Where) && ctx_.where && !at_newline()) type = where_clauses(type_start, type);
  return make(Head::TypeAssert, op.begin, type);
}

Syntax *Parser::number() {
  NumberResult result = parse_number(types_, text(tok_));
  if (!result.error.empty()) fail_here(result.error);
  Syntax *node = result.is_wide ? wide_integer(span(tok_), std::string(text(tok_)))
                                : arena_.literal(std::move(result.value), span(tok_));
  advance();
  return node;
}

/// An integer of more than 128 bits is big"...", as in Julia.
Syntax *Parser::wide_integer(Span place, std::string text) {
  Syntax *name = make(Head::MacroName, place, {});
  name->name = symbol("@big_str");
  return make(Head::MacroCall, place, name, string_literal(std::move(text), place));
}

Syntax *Parser::atom() {
  switch (tok_.kind) {
  case Tok::Identifier: {
    const Token name = tok_;
    const char next = lexer_.peek(name.end);
    if (next == '"' && text(name) == "var") {
      advance();
      std::string body = raw_text('"');
      previous_.kind = Tok::Identifier;
      return arena_.identifier(intern(body), span(name.begin, previous_.end));
    }
    if (next == ' ' || next == '\t') { // keywords only before certain words
      Token following = Lexer(lexer_).next();
      if (following.newlines == 0) {
        std::string_view word = text(name), second = text(following);
        if (word == "mutable" && following.kind == Tok::KwStruct) return keyword();
        if ((word == "abstract" || word == "primitive") && second == "type") return keyword();
        if (word == "public" && (following.kind == Tok::Identifier || following.kind == Tok::At))
          return keyword();
      }
    }
    advance();
    return identifier(name);
  }
  case Tok::In:
  case Tok::Isa: {
    Syntax *node = identifier(tok_);
    advance();
    previous_.kind = Tok::Identifier;
    return node;
  }
  case Tok::Number: return number();
  case Tok::DoubleQuote: return string();
  case Tok::Backtick: return command();
  case Tok::Prime: return character();
  case Tok::LParen: return parenthesized();
  case Tok::LBracket: return array(nullptr, tok_.begin);
  case Tok::At: return macro_call(tok_.begin, nullptr);
  case Tok::Colon: return quote_colon();
  case Tok::LBrace: {
    const uint32_t start = tok_.begin;
    Items list = items(Tok::RBrace, false);
    if (list.semicolons > 0) fail(span(start, previous_.end), "`;` has no meaning between braces");
    return make(Head::Braces, start, std::move(list.args));
  }
  case Tok::KwTrue:
  case Tok::KwFalse: {
    Syntax *node = arena_.literal(types_.boolean(at(Tok::KwTrue)), span(tok_));
    advance();
    return node;
  }
  case Tok::KwEnd:
  case Tok::KwBegin:
    if (ctx_.end_symbol) {
      Syntax *node = identifier(tok_);
      advance();
      previous_.kind = Tok::Identifier;
      return node;
    }
    break;
  default: break;
  }
  if (is_keyword(tok_.kind)) return keyword();
  fail_expected("an expression");
}

Syntax *Parser::parenthesized() {
  const uint32_t start = tok_.begin;
  return from_items(start, items(Tok::RParen, false));
}

/// Makes the node for a list in parentheses that is not an argument list: a tuple, a block, or its only
/// element.
Syntax *Parser::from_items(uint32_t start, Items list) {
  const bool tuple = list.commas || (list.splat && list.semicolons > 0) ||
                     (list.leading_semicolon && (list.semicolons == 1 || !list.params.empty())) ||
                     (list.args.empty() && list.semicolons == 0);
  if (tuple) {
    for (Syntax *param : list.params)
      if (param->is(Head::Assign)) param->head = Head::Kw;
    if (list.semicolons > 0)
      list.args.insert(list.args.begin(), make(Head::Parameters, start, std::move(list.params)));
    return make(Head::Tuple, start, std::move(list.args));
  }
  if (list.semicolons == 0) return list.args[0];
  list.args.insert(list.args.end(), list.params.begin(), list.params.end());
  Syntax *block = make(Head::Block, start, std::move(list.args));
  block->lines = BlockLines::Between;
  return block;
}

/// Parses :name, :+ and :(..), or the colon alone, as in A[:, 1].
Syntax *Parser::quote_colon() {
  const Token colon = tok_;
  const char next = lexer_.peek(colon.end);
  if (lexer_.is_space_at(colon.end) || std::string_view(")]},;").find(next) != std::string_view::npos) {
    advance();
    previous_.kind = Tok::Identifier;
    return operator_identifier(colon);
  }
  Context inside = ctx_;
  inside.end_symbol = false;
  In in(*this, inside);
  Deeper level(*this);
  advance();
  auto name = [&](const Token &last) {
    Syntax *node = quoted(symbol(text(last)), span(colon.begin, last.end));
    advance();
    previous_.kind = Tok::Identifier;
    return node;
  };
  auto quote = [&](Syntax *body) { return make(Head::Quote, colon.begin, body); };
  switch (tok_.kind) {
  case Tok::KwTrue:
  case Tok::KwFalse:
  case Tok::Number:
  case Tok::DoubleQuote:
  case Tok::Prime: return atom();
  case Tok::Dollar:
    if (lexer_.is_space_at(tok_.end) ||
        std::string_view(")]},;").find(lexer_.peek(tok_.end)) != std::string_view::npos)
      return name(tok_);
    return quote(prefix());
  case Tok::LBracket:
  case Tok::At: return quote(atom());
  case Tok::Dot: return name(tok_);
  case Tok::Identifier:
    if (lexer_.peek(tok_.end) == '"' && text(tok_) == "var") {
      Syntax *variable = atom();
      return quoted(variable->name, span(colon.begin, previous_.end));
    }
    return name(tok_);
  case Tok::LParen: {
    if (Syntax *op = quoted_operator_in_parens()) {
      op->at.begin = colon.begin;
      return op;
    }
    Syntax *body = parenthesized();
    if (body->is(Head::Identifier)) return quoted(body->name, span(colon.begin, previous_.end));
    if (body->is(Head::Literal)) return body;
    return quote(body);
  }
  default:
    if (is_operator(tok_.kind) || is_keyword(tok_.kind)) return name(tok_);
    fail_here(fmt::format("`:` cannot quote {}", describe(tok_)));
  }
}

/// Parses an operator in parentheses inside of a quote: (==), (=), (&&). Null: another expression.
Syntax *Parser::quoted_operator_in_parens() {
  Lexer ahead = lexer_;
  const Token op = ahead.next();
  const bool is_word = op.kind == Tok::In || op.kind == Tok::Isa || op.kind == Tok::Where;
  if (!(is_operator(op.kind) || op.kind == Tok::Dot) || is_word || ahead.next().kind != Tok::RParen)
    return nullptr;
  advance();
  Syntax *node = quoted(symbol(text(op)), span(op));
  advance();
  advance();
  node->at.end = previous_.end;
  return node;
}

} // namespace kiln::julia
