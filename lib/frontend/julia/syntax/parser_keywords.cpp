// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"

namespace kiln::julia {

Syntax *Parser::keyword() {
  In in(*this, normal());
  const Token word = tok_;
  switch (word.kind) {
  case Tok::KwBegin:
  case Tok::KwQuote: {
    advance();
    Syntax *body = block();
    expect_end(word);
    Syntax *whole = make(Head::Block, word.begin, std::move(body->args));
    return word.kind == Tok::KwQuote ? make(Head::Quote, word.begin, whole) : whole;
  }
  case Tok::KwIf: {
    Syntax *node = if_expression(Head::If);
    expect_end(word);
    node->at.end = previous_.end;
    return node;
  }
  case Tok::KwWhile: return while_loop();
  case Tok::KwFor: return for_loop();
  case Tok::KwLet: return let_block();
  case Tok::KwTry: return try_block();
  case Tok::KwReturn: return return_statement();
  case Tok::KwBreak: advance(); return make(Head::Break, span(word), {});
  case Tok::KwContinue: advance(); return make(Head::Continue, span(word), {});
  case Tok::KwFunction: return function(Head::Function);
  case Tok::KwMacro: return function(Head::Macro);
  case Tok::KwStruct: return struct_definition(false);
  case Tok::KwModule: return module(false);
  case Tok::KwBareModule: return module(true);
  case Tok::KwConst: return declaration(Head::Const);
  case Tok::KwLocal: return declaration(Head::Local);
  case Tok::KwGlobal: return declaration(Head::Global);
  case Tok::KwImport: return import_statement(Head::Import);
  case Tok::KwUsing: return import_statement(Head::Using);
  case Tok::KwExport: return export_statement(Head::Export);
  case Tok::Identifier: // a keyword only before certain words, which the caller has checked
    if (text(word) == "mutable") return struct_definition(true);
    if (text(word) == "abstract") return abstract_type();
    if (text(word) == "primitive") return primitive_type();
    return export_statement(Head::Public);
  default: fail_here(fmt::format("{} has no place here", describe(word)));
  }
}

/// Parses an if or elseif with its blocks, but not the `end`.
Syntax *Parser::if_expression(Head head) {
  const uint32_t start = tok_.begin;
  Deeper level(*this);
  advance();
  if (tok_.newlines > 0) fail_here("expected a condition on the same line");
  Syntax *condition = infix(Prec::Conditional);
  Args args{condition, block()};
  if (at(Tok::KwElseIf)) {
    args.push_back(if_expression(Head::ElseIf));
  } else if (at(Tok::KwElse)) {
    advance();
    args.push_back(block());
  }
  return make(head, start, std::move(args));
}

Syntax *Parser::while_loop() {
  const Token open = tok_;
  advance();
  Syntax *condition = infix(Prec::Conditional);
  Syntax *body = block();
  expect_end(open);
  return make(Head::While, open.begin, condition, body);
}

Syntax *Parser::for_loop() {
  const Token open = tok_;
  advance();
  const uint32_t start = tok_.begin;
  Args list = iterations();
  // `for outer i in r; body` becomes `for hidden in r; i = hidden; body`, which assigns the outer variable i.
  Args taken;
  for (Syntax *each : list)
    if (Syntax *&variable = each->args[0]; variable->is(Head::Local)) {
      Syntax *hidden = arena_.identifier(symbol(fmt::format("#outer{}#", taken.size())), variable->at);
      taken.push_back(make(Head::Assign, start, variable->args[0], hidden));
      variable = hidden;
    }
  Syntax *what = list.size() == 1 ? list[0] : make(Head::Block, start, std::move(list));
  what->lines = BlockLines::None;
  Syntax *body = block();
  body->args.insert(body->args.begin(), taken.begin(), taken.end());
  expect_end(open);
  return make(Head::For, open.begin, what, body);
}

Syntax *Parser::let_block() {
  const Token open = tok_;
  advance();
  const uint32_t start = tok_.begin;
  Args bindings;
  if (!at_newline() && !at_closer()) {
    bindings.push_back(element());
    while (at(Tok::Comma)) {
      advance();
      bindings.push_back(element());
    }
  }
  Syntax *names =
      make(Head::Block, bindings.empty() ? span(open) : span(start, previous_.end), std::move(bindings));
  names->lines = BlockLines::None;
  Syntax *body = block();
  expect_end(open);
  return make(Head::Let, open.begin, names, body);
}

Syntax *Parser::try_block() {
  const Token open = tok_;
  advance();
  Syntax *body = block();
  auto none = [&] { return arena_.literal(types_.boolean(false), span(open)); };
  Syntax *variable = nullptr, *on_error = nullptr, *on_success = nullptr, *always = nullptr;
  if (at(Tok::KwCatch)) {
    advance();
    if (!at_newline() && !at_closer()) {
      variable = prefix();
      if (!variable->is(Head::Identifier) && !variable->is(Head::Interpolation))
        fail(variable->at, "expected the name of a variable after `catch`");
    }
    on_error = block();
  }
  if (at(Tok::KwElse)) {
    advance();
    on_success = block();
  }
  if (at(Tok::KwFinally)) {
    advance();
    always = block();
    if (at(Tok::KwCatch) && !on_error) {
      advance();
      if (!at_newline() && !at_closer()) variable = prefix();
      on_error = block();
    }
  }
  if (!on_error && !always) fail_expected("`catch` or `finally` of `try`", open, "`try` begins here");
  expect_end(open);
  Args args{body, variable, on_error, always, on_success};
  for (Syntax *&arg : args)
    if (!arg) arg = none();
  return make(Head::Try, open.begin, std::move(args));
}

Syntax *Parser::return_statement() {
  const uint32_t start = tok_.begin;
  advance();
  Args args;
  const bool colon = at(Tok::Colon) && lexer_.is_space_at(tok_.end); // a ? return : b
  if (!at_newline() && !at_closer() && !colon) args.push_back(expression());
  return make(Head::Return, start, std::move(args));
}

} // namespace kiln::julia
