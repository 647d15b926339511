// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"

namespace kiln::julia {

/// Parses a macro's name after `@`: @m, @A.B.m, @., @var"m".
Syntax *Parser::macro_name(Syntax *module) {
  const uint32_t start = module ? module->at.begin : tok_.begin, sign = tok_.begin;
  if (lexer_.is_space_at(tok_.end)) fail_here("the name of a macro follows its `@` directly");
  advance();
  if (const char after = lexer_.peek(tok_.end);
      !module && at(Tok::Identifier) && after != '.' && after != '"') { // @inline: the common case
    advance();
    Syntax *node = make(Head::MacroName, sign, {});
    node->name = symbol(lexer_.text().substr(sign, previous_.end - sign));
    return node;
  }
  auto leaf = [&](std::string_view name, uint32_t begin) {
    Syntax *node = make(Head::MacroName, begin, {});
    node->name = symbol("@" + std::string(name));
    return node;
  };
  if (at(Tok::Dot)) {
    advance();
    return leaf("__dot__", sign);
  }
  for (;;) {
    const Token part = tok_;
    std::string name;
    if (at_word("var") && lexer_.peek(tok_.end) == '"') {
      name = std::string(atom()->name.text());
    } else if (at(Tok::Identifier) || is_keyword(tok_.kind) || (is_operator(tok_.kind) && !at(Tok::Dollar))) {
      name = std::string(symbol(text(tok_)).text());
      advance();
    } else {
      fail_expected("the name of a macro");
    }
    if (at(Tok::Dot) && adjacent() && !lexer_.is_space_at(tok_.end) && lexer_.peek(tok_.end) != '(') {
      Symbol path = symbol(name);
      module = module ? make(Head::Dot, start, module, quoted(path, span(part)))
                      : arena_.identifier(path, span(part));
      advance();
      continue;
    }
    Syntax *node = leaf(name, module ? part.begin : sign);
    if (!module) return node;
    Syntax *qualified = make(Head::MacroName, start, module, node);
    qualified->name = node->name;
    return qualified;
  }
}

Syntax *Parser::macro_call(uint32_t start, Syntax *module) {
  Syntax *name = macro_name(module);
  Args args{name};
  if (at(Tok::LParen) && adjacent()) {
    Items list = items(Tok::RParen, false);
    for (Syntax *param : list.params)
      if (param->is(Head::Assign)) param->head = Head::Kw;
    return suffixes(start, with_arguments(Head::MacroCall, start, name, std::move(list)));
  }
  if ((at(Tok::LBracket) || at(Tok::LBrace)) && adjacent()) {
    args.push_back(atom());
    return suffixes(start, make(Head::MacroCall, start, std::move(args)));
  }
  spaced_arguments(args, name->name.text() == "@doc");
  return make(Head::MacroCall, start, std::move(args));
}

/// True if the `for` at the current token begins a loop, false if it begins a generator. The token follows a
/// macro's name, or its arguments in brackets. A loop has an `end` of its own: (@inbounds for i in r; ...;
/// end). A generator has none before the closing bracket: sum(@inbounds x[i] for i in r). Looks ahead, and
/// restores the position.
bool Parser::for_is_loop() {
  const Lexer lexer = lexer_;
  const Token token = tok_, previous = previous_;
  const uint32_t depth = depth_;
  const size_t errors = errors_.size();
  const bool gave_up = give_up_;
  bool is_loop = false;
  try {
    In normal_context(*this, normal());
    uint32_t brackets = 0, blocks = 0;
    for (bool done = false; !done;) {
      const bool is_name =
          adjacent() && (previous_.kind == Tok::Dot || previous_.kind == Tok::Colon); // a.end, :end
      const bool touches_operand =
          adjacent() && (previous_.kind == Tok::Identifier || previous_.kind == Tok::Number ||
                         previous_.kind == Tok::RParen || previous_.kind == Tok::RBracket ||
                         previous_.kind == Tok::RBrace || previous_.kind == Tok::Prime);
      switch (tok_.kind) {
      case Tok::EndOfFile:
      case Tok::Invalid: done = true; break;
      case Tok::LParen:
      case Tok::LBracket:
      case Tok::LBrace: ++brackets; break;
      case Tok::RParen:
      case Tok::RBracket:
      case Tok::RBrace:
        done = brackets == 0;
        --brackets;
        break;
      case Tok::KwFor:
      case Tok::KwWhile:
      case Tok::KwIf:
      case Tok::KwBegin:
      case Tok::KwLet:
      case Tok::KwTry:
      case Tok::KwQuote:
      case Tok::KwDo:
      case Tok::KwFunction:
      case Tok::KwMacro:
      case Tok::KwStruct:
        if (brackets == 0 && !is_name) ++blocks;
        break;
      case Tok::KwEnd:
        if (brackets == 0 && !is_name) done = is_loop = --blocks == 0;
        break;
      case Tok::DoubleQuote: // skip strings: their contents are not tokens of the loop
      case Tok::Backtick:
        if (at(Tok::Backtick) || touches_operand)
          raw_text(at(Tok::Backtick) ? '`' : '"');
        else
          string();
        continue;
      case Tok::Prime:
        if (touches_operand) break; // the adjoint
        character();
        continue;
      default: break;
      }
      if (!done) advance();
    }
  } catch (const SyntaxFailure &) { // the error is reported when the text is parsed
  }
  lexer_ = lexer;
  tok_ = token;
  previous_ = previous;
  depth_ = depth;
  errors_.erase(errors_.begin() + ptrdiff_t(errors), errors_.end());
  give_up_ = gave_up;
  return is_loop;
}

/// Parses the arguments of a macro call without parentheses, `@m a b`, up to the end of the line.
void Parser::spaced_arguments(Args &args, bool is_doc) {
  Context spaced = ctx_;
  spaced.space_sensitive = true;
  spaced.newline_ok = false;
  In in(*this, spaced);
  const bool generator = ctx_.generator;
  while (!at_closer() && !at_newline() && !(generator && at(Tok::KwFor) && !for_is_loop()) &&
         !at(Tok::KwDo)) {
    // A colon that ends the macro call: a ? @m b : c.
    if (at(Tok::Colon) && !ctx_.range_colon && lexer_.is_space_at(tok_.end)) break;
    args.push_back(expression());
  }
  // The definition on the line after @doc "..." is an argument, too.
  if (is_doc && args.size() == 2 && tok_.newlines == 1 && !at_closer()) args.push_back(expression());
}

/// Parses x".." or x`..`, and the letters after it. The current token is the quote; `prefix` is the name
/// before it.
Syntax *Parser::string_macro(uint32_t start, Syntax *prefix, Syntax *module) {
  const bool is_command = at(Tok::Backtick);
  Syntax *name = make(Head::MacroName, prefix->at, {});
  name->name = symbol(fmt::format("@{}_{}", prefix->name.text(), is_command ? "cmd" : "str"));
  if (module) {
    Syntax *qualified = make(Head::MacroName, start, module, name);
    qualified->name = name->name;
    name = qualified;
  }
  const uint32_t begin = tok_.begin;
  std::string body = raw_text(is_command ? '`' : '"');
  Args args{name, string_literal(std::move(body), span(begin, previous_.end))};
  if ((at(Tok::Identifier) || is_keyword(tok_.kind)) && adjacent()) { // r".."i
    args.push_back(string_literal(std::string(text(tok_)), span(tok_)));
    advance();
  }
  return make(Head::MacroCall, start, std::move(args));
}

} // namespace kiln::julia
