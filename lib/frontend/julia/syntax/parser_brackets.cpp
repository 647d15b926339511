// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"

namespace kiln::julia {

/// Parses the list that the current bracket opens, up to `close`. `keywords`: a = b is a keyword argument.
Items Parser::items(Tok close, bool keywords, bool advance_past_close) {
  const Token open = tok_;
  In in(*this, inside_brackets());
  advance();
  Items list;
  if (!at(close)) list.args.reserve(4);
  for (;;) {
    if (at(Tok::Semicolon)) {
      if (list.args.empty() && !list.semicolons) list.leading_semicolon = true;
      ++list.semicolons;
      advance();
      continue;
    }
    if (at(close)) break;
    const uint32_t start = tok_.begin;
    Syntax *node = element();
    if (at(Tok::KwFor)) {
      node = generator(start, node);
      list.generator = true;
    }
    if (keywords && node->is(Head::Assign) && node->at.begin == start) node->head = Head::Kw;
    list.splat |= node->is(Head::Splat);
    (list.semicolons ? list.params : list.args).push_back(node);
    if (at(Tok::Comma)) {
      list.commas = true;
      advance();
    } else if (!at(Tok::Semicolon) && !at(close)) {
      fail_expected(close == Tok::RParen ? "`,` or `)`" : "`,` or `}`", open, "the list begins here");
    }
  }
  if (advance_past_close) advance();
  return list;
}

/// Parses i = range, i in range, or i ∈ range.
Syntax *Parser::iteration() {
  const uint32_t start = tok_.begin;
  bool outer = false;
  if (at_word("outer") && lexer_.is_space_at(tok_.end)) {
    Token next = Lexer(lexer_).next();
    outer = next.kind == Tok::Identifier || next.kind == Tok::LParen;
    if (outer) advance();
  }
  Syntax *variable = infix(Prec::PipeLeft);
  const bool element_of = tok_.kind == Tok::Operator && text(tok_) == "∈";
  if (!(at(Tok::Assign) && !tok_.dotted) && !at(Tok::In) && !element_of)
    fail_expected("`=` or `in` after the variable of `for`");
  advance();
  Syntax *range = infix(Prec::PipeLeft);
  if (outer) variable = make(Head::Local, start, variable); // separated again by for_loop
  return make(Head::Assign, start, variable, range);
}

Parser::Args Parser::iterations() {
  Args list{iteration()};
  while (at(Tok::Comma)) {
    advance();
    list.push_back(iteration());
  }
  return list;
}

/// Parses the rest of body for a = .., b = .. [if condition] [for ..], from `for` on.
Syntax *Parser::generator(uint32_t start, Syntax *body) {
  const Token open = tok_;
  if (!open.space_before) fail_here("`for` wants a space before it");
  advance();
  Deeper level(*this);
  Args list = iterations();
  for (const Syntax *each : list)
    if (each->args[0]->is(Head::Local))
      fail(each->at, "`outer` is for loops: a generator's variable is its own");
  if (at(Tok::KwIf)) {
    const uint32_t filter_start = tok_.begin;
    advance();
    Syntax *condition = infix(Prec::Conditional);
    list.insert(list.begin(), condition);
    list = {make(Head::Filter, filter_start, std::move(list))};
  }
  const bool nested = at(Tok::KwFor);
  if (nested) body = generator(start, body); // the last `for` runs innermost
  list.insert(list.begin(), body);
  Syntax *node = make(Head::Generator, start, std::move(list));
  return nested ? make(Head::Flatten, start, node) : node;
}

/// Parses [..]: an array, or after `before` a typed array or an index, T[a b] or a[i]. `before` may be null.
Syntax *Parser::array(Syntax *before, uint32_t start) {
  const Token open = tok_;
  Context inside = inside_brackets();
  Args args;
  auto with_before = [&] {
    if (before) args.insert(args.begin(), before);
  };
  Syntax *first;
  {
    // Until the first separator the array may be a matrix, in which spaces separate elements.
    Context matrix = inside;
    matrix.newline_ok = false;
    matrix.space_sensitive = true;
    In in(*this, matrix);
    advance();
    if (at(Tok::RBracket)) {
      advance();
      with_before();
      return make(before ? Head::Ref : Head::Vect, start, std::move(args));
    }
    if (at(Tok::Semicolon)) { // [;;]: an array without elements
      int64_t dimension = 0;
      for (; at(Tok::Semicolon); advance()) ++dimension;
      Syntax *count = arena_.literal(types_.int64(dimension), span(open));
      expect_close(Tok::RBracket, open, "`]`");
      args.push_back(count);
      with_before();
      return make(before ? Head::TypedNcat : Head::Ncat, start, std::move(args));
    }
    const uint32_t first_start = tok_.begin;
    first = element();
    if (at(Tok::KwFor)) {
      ctx_.newline_ok = true;
      ctx_.space_sensitive = false;
      Syntax *body = generator(first_start, first);
      expect_close(Tok::RBracket, open, "`]`");
      if (before) return make(Head::TypedComprehension, start, before, body);
      return make(Head::Comprehension, start, body);
    }
    if (!at(Tok::Comma) && !at(Tok::RBracket)) return array_rows(before, start, first, open);
    if (before && first->is(Head::Assign) && first->at.begin == first_start) first->head = Head::Kw;
  }
  args.push_back(first);
  {
    In in(*this, inside);
    while (at(Tok::Comma)) {
      advance();
      if (at(Tok::RBracket)) break;
      const uint32_t element_start = tok_.begin;
      Syntax *node = element();
      if (before && node->is(Head::Assign) && node->at.begin == element_start) node->head = Head::Kw;
      if (at(Tok::KwFor)) node = generator(element_start, node);
      args.push_back(node);
    }
    if (at(Tok::Semicolon)) fail_here("`,` and `;` cannot both separate elements of an array");
  }
  expect_close(Tok::RBracket, open, "`,` or `]`");
  with_before();
  return make(before ? Head::Ref : Head::Vect, start, std::move(args));
}

/// Parses the rest of a matrix [a b; c d] after its first element. Spaces bind tightest, then `;`, then `;;`
/// and so on.
Syntax *Parser::array_rows(Syntax *before, uint32_t start, Syntax *first, const Token &open) {
  ArrayElements list;
  list.nodes.push_back(first);
  uint32_t semicolons = 0;
  for (;;) {
    if (at(Tok::Semicolon)) {
      ++semicolons;
      advance();
      continue;
    }
    if (at(Tok::RBracket) || at(Tok::EndOfFile)) break;
    if (at(Tok::Comma)) fail_here("`,` and a space or `;` cannot both separate elements of an array");
    if (semicolons == 0 && tok_.newlines > 0) semicolons = 1;
    if (semicolons == 0 && !tok_.space_before) fail_expected("`,`, `;`, a space or `]`");
    list.separators.push_back(semicolons);
    semicolons = 0;
    list.nodes.push_back(element());
  }
  uint32_t dimension = semicolons; // a trailing separator counts: [a;]
  for (uint32_t s : list.separators) dimension = std::max(dimension, s);
  if (dimension > 64) fail_here("an array has at most 64 dimensions");
  Args parts = array_parts(list, 0, list.nodes.size(), dimension);
  expect_close(Tok::RBracket, open, "`]`");
  if (dimension > 1) parts.insert(parts.begin(), arena_.literal(types_.int64(dimension), span(open)));
  if (before) parts.insert(parts.begin(), before);
  const Head plain[] = {Head::Hcat, Head::Vcat, Head::Ncat},
             typed[] = {Head::TypedHcat, Head::TypedVcat, Head::TypedNcat};
  const uint32_t kind = std::min(dimension, 2u);
  return make(before ? typed[kind] : plain[kind], start, std::move(parts));
}

/// Splits the elements from `begin` to `end` where `dimension` semicolons separate them.
Parser::Args Parser::array_parts(const ArrayElements &list, size_t begin, size_t end, uint32_t dimension) {
  Args parts;
  for (size_t from = begin, i = begin; i < end; ++i) {
    if (i + 1 < end && list.separators[i] != dimension) continue;
    Syntax *part = list.nodes[from];
    if (i > from) {
      Args inner = array_parts(list, from, i + 1, dimension - 1);
      if (inner.size() == 1) {
        part = inner[0];
      } else {
        if (dimension > 1) inner.insert(inner.begin(), arena_.literal(types_.int64(dimension - 1), part->at));
        part = make(dimension > 1 ? Head::Nrow : Head::Row, part->at.begin, std::move(inner));
      }
    }
    parts.push_back(part);
    from = i + 1;
  }
  return parts;
}

} // namespace kiln::julia
