// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "composition.h"
#include "parser_core.h"

#include <cstring>

namespace kiln::julia {

Parser::Parser(TypeContext &types, SyntaxArena &arena, const SourceFile &file, std::string_view text)
    : types_(types), arena_(arena), file_(file), lexer_(text) {}

void Parser::seek(uint32_t offset, Tok previous_kind) {
  lexer_.seek(offset);
  previous_ = tok_;
  previous_.kind = previous_kind;
  previous_.end = offset;
  tok_ = lexer_.next();
}

/// Replaces characters that look like another one by that one, and letters with marks by single characters
/// (normalization form C), as Julia does.
static std::string normalized(std::string_view name) {
  std::u32string characters;
  for (size_t i = 0; i < name.size();) {
    Decoded d = decode_utf8(name, i);
    if (!d.length) return std::string(name);
    char32_t c = d.c;
    if (c == 0xb5)
      c = 0x3bc; // micro sign -> mu
    else if (c == 0x25b)
      c = 0x3b5; // open e -> epsilon
    else if (c == 0xb7 || c == 0x387)
      c = 0x22c5; // middle dots -> dot operator
    else if (c == 0x2212)
      c = '-';
    characters += c;
    i += d.length;
  }
  std::string out;
  for (const char32_t c : composed(characters)) append_utf8(out, c);
  return out;
}

Symbol Parser::intern(std::string_view name) {
  if (watch_) watch_->see(name);
  return types_.symbol(name);
}

Symbol Parser::symbol(std::string_view name) {
  if (name.size() > 8) {
    for (char c : name)
      if (uint8_t(c) >= 0x80) return intern(normalized(name));
    return intern(name);
  }
  uint64_t key = 0; // the name's bytes as a number, for names of up to 8 bytes
  std::memcpy(&key, name.data(), name.size());
  CachedSymbol &slot = symbols_[(key * 0x9e3779b97f4a7c15ull) >> 58];
  if (slot.key != key) {
    bool ascii = (key & 0x8080808080808080ull) == 0;
    slot = {key, ascii ? intern(name) : intern(normalized(name))};
  }
  return slot.symbol;
}

Symbol Parser::operator_name(const Token &t) { return symbol(text(t).substr(t.dotted ? 1 : 0)); }

Syntax *Parser::make(Head head, Span at, Args args) {
  Syntax *node = arena_.make(head, at, std::move(args));
  if (node->depth > max_depth) fail_too_deep(at);
  return node;
}

Syntax *Parser::make(Head head, Span at, Syntax *a, Syntax *b, Syntax *c) {
  Args args;
  args.reserve(1 + (b != nullptr) + (c != nullptr));
  for (Syntax *child : {a, b, c})
    if (child) args.push_back(child);
  return make(head, at, std::move(args));
}

Syntax *Parser::make(Head head, uint32_t start, Syntax *a, Syntax *b, Syntax *c) {
  return make(head, span(start, previous_.end), a, b, c);
}

Syntax *Parser::quoted(Symbol name, Span at) {
  Syntax *node = arena_.make(Head::QuotedSymbol, at);
  node->literal = Value::symbol(types_, name);
  return node;
}

Location Parser::locate(Span at) const {
  std::shared_ptr<const SourceFile> file = file_.weak_from_this().lock();
  return file ? Location{std::move(file), at.begin, at.end} : Location{};
}

void Parser::fail(Span at, std::string_view message) { fail(at, message, {}); }

void Parser::fail(Span at, std::string_view message, std::vector<Note> notes, std::string_view hint) {
  errors_.push_back(Diagnostic{.code = ErrorCode::SyntaxError,
                               .message = std::string(message),
                               .at = locate(at),
                               .stack = {},
                               .notes = std::move(notes),
                               .hint = std::string(hint)});
  throw SyntaxFailure{};
}

void Parser::fail_here(std::string_view message) { fail_here(message, {}); }

void Parser::fail_here(std::string_view message, std::vector<Note> notes) {
  if (at(Tok::Invalid)) fail(span(tok_), tok_.message);
  fail(here(), message, std::move(notes));
}

void Parser::fail_expected(std::string_view what) {
  fail_here(fmt::format("expected {}, found {}", what, describe(tok_)));
}

void Parser::fail_expected(std::string_view what, const Token &opened, std::string_view note) {
  fail_here(fmt::format("expected {}, found {}", what, describe(tok_)),
            {Note{std::string(note), locate(span(opened))}});
}

void Parser::fail_too_deep(Span at) {
  give_up_ = true;
  fail(at, fmt::format("nested too deeply: more than {} levels", max_depth));
}

std::string Parser::describe(const Token &t) const {
  if (t.kind == Tok::EndOfFile) return "the end of the file";
  std::string_view s = text(t);
  return fmt::format("`{}`", s.substr(0, 40));
}

bool Parser::at_closer() const {
  switch (tok_.kind) {
  case Tok::EndOfFile:
  case Tok::RParen:
  case Tok::RBracket:
  case Tok::RBrace:
  case Tok::Comma:
  case Tok::Semicolon:
  case Tok::KwElse:
  case Tok::KwElseIf:
  case Tok::KwCatch:
  case Tok::KwFinally: return true;
  case Tok::KwEnd: return !ctx_.end_symbol;
  default: return false;
  }
}

void Parser::expect_close(Tok kind, const Token &open, const char *what) {
  if (at(kind)) return advance();
  fail_expected(what, open, "it closes this one");
}

void Parser::expect_end(const Token &open) {
  if (at(Tok::KwEnd)) return advance();
  // recovery from an earlier error may have skipped the `end`
  if (at(Tok::EndOfFile) && !errors_.empty()) throw SyntaxFailure{};
  fail_here(fmt::format("expected `end` of `{}`, found {}", text(open), describe(tok_)),
            {Note{fmt::format("`{}` begins here", text(open)), locate(span(open))}});
}

/// Continues after a syntax error, at the next line that starts in column 1 and looks like a statement. The
/// line of the error itself counts, unless the failed `statement` started there.
void Parser::recover(uint32_t statement) {
  ctx_ = {};
  if (errors_.size() >= max_errors) give_up_ = true;
  std::string_view source = lexer_.text();
  size_t p = std::max(tok_.begin, previous_.end);
  const bool same_line = tok_.begin > statement && source[tok_.begin - 1] == '\n';
  if (same_line) p = tok_.begin - 1;
  while (!give_up_) {
    p = source.find('\n', p);
    if (p == source.npos) break;
    ++p;
    lexer_.seek(uint32_t(p));
    if (lexer_.identifier_end(uint32_t(p)) == p && lexer_.peek(p) != '@' && lexer_.peek(p) != '(') continue;
    tok_ = lexer_.next();
    if (at_closer()) continue;
    tok_.newlines = 2;
    return;
  }
  lexer_.seek(uint32_t(source.size()));
  tok_ = lexer_.next();
  tok_.newlines = 2;
}

Result<Syntax *> Parser::statement_at(Span at) {
  try {
    seek(at.begin, Tok::KwEnd);
    Syntax *node = statement();
    if (node->at.end == at.end) return node;
    fail(node->at, "a statement of the package does not end where it did");
  } catch (const SyntaxFailure &) {
    return Error(std::move(errors_));
  }
}

Result<Syntax *> Parser::file() {
  if (lexer_.text().size() >= 0xffffffff)
    return make_error(ErrorCode::SyntaxError, "the file is larger than 4 GiB");
  if (lexer_.text().starts_with("\xef\xbb\xbf")) lexer_.seek(3);
  skips_bodies_ = file_.is_library() && !watch_;
  drops_bodies_ = lexer_.text().size() >= large_file;
  advance();
  Args args;
  while (!at(Tok::EndOfFile)) {
    statements(args, true);
    if (at(Tok::EndOfFile)) break;
    if (at(Tok::KwEnd) && !errors_.empty()) { // the keyword `end` belongs to a block with an error
      advance();
      continue;
    }
    try {
      fail_here(fmt::format("{} closes nothing", describe(tok_)));
    } catch (const SyntaxFailure &) {
      recover(tok_.begin);
    }
  }
  if (!errors_.empty()) return Error(std::move(errors_));
  return arena_.make(Head::Toplevel, span(0, uint32_t(lexer_.text().size())), std::move(args));
}

Result<Syntax *> Parser::single_expression() {
  if (lexer_.text().size() >= 0xffffffff)
    return make_error(ErrorCode::SyntaxError, "the text is larger than 4 GiB");
  try {
    advance();
    if (at(Tok::EndOfFile)) fail_here("expected an expression, found nothing");
    Syntax *node = expression();
    if (!at(Tok::EndOfFile))
      fail_here(fmt::format("expected one expression, but {} follows", describe(tok_)));
    return node;
  } catch (const SyntaxFailure &) {
    return Error(std::move(errors_));
  }
}

Result<Syntax *> parse_file(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                            const ParseOptions &options) {
  return Parser(types, arena, file, options).file();
}

Result<Syntax *> parse_statement(TypeContext &types, SyntaxArena &arena, const SourceFile &file, Span at) {
  return Parser(types, arena, file).statement_at(at);
}

Result<Syntax *> parse_expression(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                  const ParseOptions &options) {
  return Parser(types, arena, file, options).single_expression();
}

} // namespace kiln::julia
