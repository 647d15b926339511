// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"

namespace kiln::julia {

void Parser::statements(Args &into, bool recovering) {
  for (;;) {
    while (at(Tok::Semicolon)) advance();
    if (at_closer()) return;
    if (!recovering) {
      into.push_back(statement());
      end_of_statement();
      continue;
    }
    const uint32_t depth = depth_, start = tok_.begin;
    statement_start_ = start;
    try {
      into.push_back(statement());
      end_of_statement();
    } catch (const SyntaxFailure &) {
      depth_ = depth;
      recover(start);
      if (give_up_) return;
    }
  }
}

void Parser::end_of_statement() {
  if (tok_.newlines > 0 || at_closer()) return;
  fail_expected("the end of the statement");
}

Syntax *Parser::left_out() {
  while (!left_out_.empty() && left_out_.front().begin < tok_.begin) left_out_ = left_out_.subspan(1);
  if (left_out_.empty() || left_out_.front().begin != tok_.begin) return nullptr;
  const uint32_t end = left_out_.front().end;
  Syntax *node = arena_.make(Head::Postponed, span(tok_.begin, end));
  seek(end, Tok::KwEnd);
  return node;
}

Syntax *Parser::statement() {
  const uint32_t start = tok_.begin;
  if (!left_out_.empty())
    if (Syntax *node = left_out()) return node;
  const bool string_first = at(Tok::DoubleQuote);
  Syntax *node = expression();
  if (!string_first || node->at.begin != start || tok_.newlines > 1 || !tok_.space_before || at_closer())
    return node;
  const bool is_string =
      node->is(Head::StringInterpolation) || (node->is(Head::Literal) && node->literal.as_string());
  if (!is_string || at(Tok::Invalid)) return node;
  Syntax *definition = expression();
  return make(Head::Doc, start, node, definition);
}

Syntax *Parser::block() {
  In normal_context(*this, normal());
  const uint32_t start = tok_.begin;
  Args args;
  statements(args, false);
  uint32_t end = args.empty() ? start : previous_.end;
  return make(Head::Block, span(start, std::max(start, end)), std::move(args));
}

Syntax *Parser::body_block(Syntax *body) {
  if (!body->is(Head::Block)) return make(Head::Block, body->at, body);
  body->lines = BlockLines::Definition;
  return body;
}

} // namespace kiln::julia
