// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"

namespace kiln::julia {

Syntax *Parser::function(Head head) {
  const Token open = tok_;
  advance();
  bool anonymous = false;
  Syntax *head_node = signature(anonymous);
  if (at(Tok::KwEnd) && !anonymous && head_node->is(Head::Identifier)) {
    advance();
    return make(head, open.begin, head_node);
  }
  const Syntax *called = head_node;
  while (called->is(Head::Where) || called->is(Head::TypeAssert)) called = called->args[0];
  if (!anonymous && !called->is(Head::Call) && !called->is(Head::Interpolation)) {
    if (called->is(Head::Dot) && at(Tok::KwEnd)) { // function A.f end
      advance();
      return make(head, open.begin, head_node);
    }
    fail(head_node->at, fmt::format("expected the arguments of the {} after its name", text(open)));
  }
  Syntax *body = head == Head::Function && !anonymous ? unread_block(open) : nullptr;
  if (!body) {
    const SyntaxArena::Place before = arena_.place();
    body = block();
    if (head == Head::Function && !anonymous && at(Tok::KwEnd)) body = dropped(body, open, before);
  }
  body->lines = BlockLines::Definition;
  expect_end(open);
  return make(head, open.begin, head_node, body);
}

/// Parses a signature: f(args)::T where T, (f::F)(args), or (args) of an anonymous function.
Syntax *Parser::signature(bool &anonymous) {
  const uint32_t start = tok_.begin;
  Syntax *node;
  if (at(Tok::LParen)) {
    Items list = items(Tok::RParen, false);
    const bool callee = adjacent() && (at(Tok::LParen) || at(Tok::LBrace) || at(Tok::Dot));
    const Syntax *inner = list.args.size() == 1 ? list.args[0] : nullptr;
    while (inner && inner->is(Head::Where)) inner = inner->args[0];
    if (callee) {
      node = suffixes(start, from_items(start, std::move(list)), true);
    } else if (!list.is_argument_list() && inner && inner->is(Head::Call)) {
      // Parentheses around a signature: function (f(x) where T) body end, or a pattern of a macro: function
      // (f_ | f_) body_ end.
      node = list.args[0];
    } else {
      anonymous = true;
      for (Syntax *param : list.params)
        if (param->is(Head::Assign)) param->head = Head::Kw;
      if (list.semicolons > 0)
        list.args.insert(list.args.begin(), make(Head::Parameters, start, std::move(list.params)));
      node = make(Head::Tuple, start, std::move(list.args));
    }
  } else {
    node = suffixes(start, function_name(), true);
  }
  if (at(Tok::DoubleColon) && !at_newline()) {
    advance();
    Syntax *type = call_level();
    node = make(Head::TypeAssert, start, node, type);
  }
  if (at(Tok::Where) && !at_newline()) node = where_clauses(start, node);
  return node;
}

Syntax *Parser::function_name() {
  const bool is_operator_name = is_operator(tok_.kind) && !at(Tok::Dollar) && !at(Tok::DoubleColon) &&
                                !at(Tok::In) && !at(Tok::Isa) && !at(Tok::Where);
  if (!is_operator_name) return prefix();
  const Token op = tok_;
  advance();
  return op.dotted ? identifier(op) : operator_identifier(op);
}

/// struct Head fields end
Syntax *Parser::struct_definition(bool is_mutable) {
  const uint32_t start = tok_.begin;
  if (is_mutable) advance();
  const Token open = tok_;
  advance();
  Syntax *head = infix(Prec::Comparison);
  Syntax *body = block();
  expect_end(open);
  return make(Head::Struct, start, arena_.literal(types_.boolean(is_mutable), span(open)), head, body);
}

Syntax *Parser::abstract_type() {
  const Token open = tok_;
  advance();
  advance();
  Syntax *head = infix(Prec::Comparison);
  while (at(Tok::Semicolon)) advance();
  expect_end(open);
  return make(Head::Abstract, open.begin, head);
}

Syntax *Parser::primitive_type() {
  const Token open = tok_;
  advance();
  advance();
  Syntax *head = infix(Prec::Comparison);
  Syntax *bits = infix(Prec::Plus);
  while (at(Tok::Semicolon)) advance();
  expect_end(open);
  return make(Head::Primitive, open.begin, head, bits);
}

Syntax *Parser::module(bool bare) {
  const Token open = tok_;
  advance();
  Syntax *name = prefix();
  if (!name->is(Head::Identifier) && !name->is(Head::Interpolation))
    fail(name->at, "expected the name of the module");
  const uint32_t start = tok_.begin;
  Args body;
  const bool drops = std::exchange(drops_bodies_, drops_bodies_ && open.begin == statement_start_);
  statements(body, true);
  drops_bodies_ = drops;
  uint32_t end = body.empty() ? start : previous_.end;
  Syntax *contents = make(Head::Block, span(start, std::max(start, end)), std::move(body));
  expect_end(open);
  return make(Head::Module, open.begin, arena_.literal(types_.boolean(!bare), span(open)), name, contents);
}

/// const, local, global
Syntax *Parser::declaration(Head head) {
  const uint32_t start = tok_.begin;
  advance();
  if (at_newline() || at_closer()) fail_here("expected what is declared");
  const bool parenthesis = at(Tok::LParen);
  Syntax *declared = expression();
  if (declared->is(Head::Tuple) && !parenthesis && head != Head::Const)
    return make(head, start, std::move(declared->args));
  return make(head, start, declared);
}

} // namespace kiln::julia
