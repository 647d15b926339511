// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"

namespace kiln::julia {

/// Parses a name in an import or export list: f, @m, +, (+), :+, var"x", $x.
Syntax *Parser::exported_name() {
  const Token first = tok_;
  if (at(Tok::At)) {
    Syntax *node = macro_name(nullptr);
    node->head = Head::Identifier;
    return node;
  }
  if (at(Tok::Dollar)) return prefix();
  if (at(Tok::LParen)) {
    advance();
    Syntax *inner = exported_name();
    expect_close(Tok::RParen, first, "`)`");
    return inner;
  }
  if (at(Tok::Colon) && !lexer_.is_space_at(first.end)) {
    advance();
    return exported_name();
  }
  if (at(Tok::Identifier) || at(Tok::In) || at(Tok::Isa)) return atom();
  if (is_operator(tok_.kind) && !at(Tok::Where)) {
    advance();
    return identifier(first);
  }
  fail_expected("a name");
}

/// Parses a module path: ..A.B.c. Each leading dot becomes an Identifier ".".
Syntax *Parser::import_path() {
  const uint32_t start = tok_.begin;
  Args path;
  while (at(Tok::Dot) || at(Tok::Ellipsis) || (at(Tok::Operator) && !tok_.dotted && text(tok_) == "..")) {
    for (uint32_t p = tok_.begin; p < tok_.end; ++p)
      path.push_back(arena_.identifier(symbol("."), span(p, p + 1)));
    advance();
  }
  path.push_back(exported_name());
  while (adjacent()) {
    if (at(Tok::Dot)) {
      advance();
      path.push_back(exported_name());
    } else if (is_operator(tok_.kind) && tok_.dotted) { // Base.==
      path.push_back(operator_identifier(tok_));
      advance();
    } else {
      break;
    }
  }
  return make(Head::ImportPath, start, std::move(path));
}

Syntax *Parser::import_item() {
  const uint32_t start = tok_.begin;
  Syntax *path = import_path();
  if (!at_word("as") || at_newline()) return path;
  advance();
  Syntax *name = exported_name();
  return make(Head::As, start, path, name);
}

Syntax *Parser::import_statement(Head head) {
  const uint32_t start = tok_.begin;
  advance();
  const uint32_t list_start = tok_.begin;
  Args items{import_item()};
  const bool names = at(Tok::Colon) && !at_newline();
  while (at(Tok::Comma) || (names && items.size() == 1 && at(Tok::Colon))) {
    advance();
    items.push_back(import_item());
  }
  if (at(Tok::Colon) && !at_newline()) fail_here("only one module can stand before the `:` of names");
  if (names) items = {make(Head::ImportColon, list_start, std::move(items))};
  return make(head, start, std::move(items));
}

Syntax *Parser::export_statement(Head head) {
  const uint32_t start = tok_.begin;
  advance();
  Args names{exported_name()};
  while (at(Tok::Comma)) {
    advance();
    names.push_back(exported_name());
  }
  return make(head, start, std::move(names));
}

} // namespace kiln::julia
