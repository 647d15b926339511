// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses bodies on demand. A program calls few methods of the runtime library. Their bodies are therefore
// skipped, and parsed when the method is lowered. Whole statements are parsed when the methods that they
// define are looked up (library.cpp). Skipping relies on the library's formatting. A function that starts in
// column 1 ends with the next `end` in column 1, and a one-line definition ends with its line. A test parses
// every file both ways.
//
// A large user file is parsed completely, to find its errors. Function bodies are then dropped, and parsed
// again when they are lowered. A kernel of ten lines takes 8 kB as syntax, and a hundred bytes as text.
#include "parser_core.h"

namespace kiln::julia {

/// True if a body contains no function definition and no hint about compiling the method. The frontend needs
/// both before the body is parsed.
static bool is_plain(std::string_view text) {
  auto at = [&](size_t i, std::string_view what) { return text.substr(i).starts_with(what); };
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '-':
      if (at(i, "->")) return false;
      break;
    case 'd':
      if (at(i, "do ") || at(i, "do\n")) return false;
      break;
    case 'f': {
      if (at(i, "function")) return false;
      if (!at(i, "for ")) break;
      // A loop begins its line; otherwise it is a generator.
      size_t before = text.find_last_not_of(' ', i ? i - 1 : 0);
      if (i == 0 || before == text.npos || text[before] != '\n') return false;
      break;
    }
    case '@':
      if (!at(i, "@inbounds ") && !at(i, "@boundscheck ")) return false;
      break;
    default: break;
    }
  }
  return true;
}

/// True if the line after `line_end` may belong to the same statement.
static bool continues_after(const Lexer &lexer, uint32_t line_end) {
  const char next = lexer.peek(line_end + 1);
  return lexer.is_space_at(line_end + 1) != (next == '\n' || next == '#');
}

bool Parser::starts_line(uint32_t offset) const {
  std::string_view source = lexer_.text();
  size_t end = source.rfind('\n', offset);
  std::string_view line = source.substr(end == source.npos ? 0 : end + 1);
  if (line.starts_with("@")) return line.starts_with("@inline ") || line.starts_with("@noinline ");
  return lexer_.identifier_end(uint32_t(line.data() - source.data())) != line.data() - source.data();
}

Syntax *Parser::unread(uint32_t end, uint32_t kind) {
  Syntax *body = arena_.make(Head::Unread, span(tok_.begin, end));
  body->scope = kind;
  seek(end, Tok::Identifier);
  return body;
}

Syntax *Parser::unread_block(const Token &open) {
  if (!skips_bodies_ || tok_.newlines == 0 || !starts_line(open.begin)) return nullptr;
  std::string_view source = lexer_.text();
  size_t end = source.find("\nend\n", tok_.begin);
  if (end == source.npos || !is_plain(source.substr(tok_.begin, end - tok_.begin))) return nullptr;
  return unread(uint32_t(end), StatementsBody);
}

/// Skips the right side of a one-line definition that starts at `start`, if possible. Null: it must be
/// parsed.
Syntax *Parser::unread_expression(uint32_t start) {
  if (!skips_bodies_ || tok_.newlines > 0 || ctx_.newline_ok || ctx_.generator || !starts_line(start))
    return nullptr;
  std::string_view source = lexer_.text();
  size_t end = source.find('\n', tok_.begin);
  if (end == source.npos || continues_after(lexer_, uint32_t(end)) ||
      !is_plain(source.substr(tok_.begin, end - tok_.begin)))
    return nullptr;
  return unread(uint32_t(end), ctx_.space_sensitive ? SpacedExpressionBody : ExpressionBody);
}

/// True if a parsed body may be dropped: it contains no function definition and no hint about compiling.
static bool may_be_dropped(const Syntax &node) {
  switch (node.head) {
  case Head::Arrow:
  case Head::Function:
  case Head::Macro:
  case Head::Do:
  case Head::Generator:
  case Head::Comprehension:
  case Head::TypedComprehension:
  case Head::Quote: return false;
  case Head::Assign:
    if (is_function_definition(node)) return false;
    break;
  case Head::MacroCall: {
    static constexpr std::string_view plain[] = {"@inbounds", "@boundscheck", "@fastmath", "@simd", "@view"};
    if (node.args.size() < 2 || !std::ranges::count(plain, macro_name(node).text())) return false;
    break;
  }
  default: break;
  }
  return std::ranges::all_of(node.args, [](const Syntax *child) { return !child || may_be_dropped(*child); });
}

Syntax *Parser::dropped(Syntax *body, const Token &open, SyntaxArena::Place before) {
  if (!drops_bodies_ || open.begin != statement_start_ || body->args.empty() || !may_be_dropped(*body))
    return body;
  const uint32_t begin = body->at.begin;
  arena_.take_back(before);
  Syntax *left = arena_.make(Head::Unread, span(begin, tok_.begin));
  left->scope = StatementsBody;
  return left;
}

Result<Syntax *> Parser::unread_body(const Syntax &body) {
  skips_bodies_ = false;
  try {
    seek(body.at.begin, Tok::Identifier);
    Syntax *node = nullptr;
    if (body.scope == StatementsBody) {
      node = block();
    } else {
      ctx_.space_sensitive = body.scope == SpacedExpressionBody;
      node = expression();
      if (!node->is(Head::Block)) node = make(Head::Block, node->at, node);
    }
    if (at(Tok::EndOfFile)) return node;
    return internal_error(fmt::format("a body of {} did not end where it was taken to", file_.name()));
  } catch (const SyntaxFailure &) {
    return as_internal(std::move(errors_));
  }
}

Result<std::vector<Syntax *>> Parser::embedded(std::span<const EmbeddedStatement> wanted) {
  skips_bodies_ = true;
  try {
    std::vector<Syntax *> nodes;
    for (const EmbeddedStatement &each : wanted) {
      seek(each.begin, Tok::KwEnd);
      nodes.push_back(statement());
      if (nodes.back()->at.end != each.end)
        return internal_error(fmt::format("the index of {} does not fit its text", file_.name()));
    }
    return nodes;
  } catch (const SyntaxFailure &) {
    return as_internal(std::move(errors_));
  }
}

Result<std::vector<Syntax *>> parse_embedded(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                             std::span<const EmbeddedStatement> wanted) {
  return Parser(types, arena, file, file.text()).embedded(wanted);
}

Result<const Syntax *> read_body(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                 const Syntax &body) {
  if (!body.is(Head::Unread)) return &body;
  KILN_TRY(const Syntax *read,
           Parser(types, arena, file, file.text().substr(0, body.at.end)).unread_body(body));
  return read;
}

} // namespace kiln::julia
