// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most methods of the runtime library are never called by one program, so their bodies are skipped and parsed when they
// are lowered; whole definitions of functions are read when somebody asks for the function's methods. That rests on how the library is written: a function that starts in the first column ends with the next
// `end` that does, a definition in one line with that line. A test parses every file of it in both ways.
#include "parser_core.h"

namespace kiln::julia {

/// Nothing in the text may define a function of its own or hint at how the method is compiled: that is asked before the
/// body is parsed.
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
      size_t before = text.find_last_not_of(' ', i ? i - 1 : 0); // a loop stands on a line of its own
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

/// Whether the line behind the one that ends here may belong to the same statement.
static bool goes_on_after(const Lexer &lexer, uint32_t line_end) {
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

/// Where the function name that begins at `from` ends, an identifier or a row of operator characters; `from` if there is none.
static uint32_t name_end(const Lexer &lexer, uint32_t from) {
  const uint32_t end = lexer.identifier_end(from);
  return end != from ? end : uint32_t(std::min(lexer.text().find_first_not_of("+-*/\\^%<>=!&|~", from), lexer.text().size()));
}

/// A whole definition of a function that is plainly named, without keywords: `name(...) = ...` on one line, or from
/// `function name(...)` to `end`. Its node holds the name, after that of the module where it is qualified.
Syntax *Parser::unread_definition() {
  const uint32_t start = tok_.begin;
  std::string_view source = lexer_.text();
  if (!skips_bodies_ || !postpones_ || (start > 0 && source[start - 1] != '\n')) return nullptr;
  uint32_t at = start;
  auto skip = [&](std::string_view word) {
    if (!source.substr(at).starts_with(word)) return false;
    at += uint32_t(word.size());
    return true;
  };
  if (skip("for ")) return unread_loop();
  skip("@inline ") || skip("@noinline ");
  const bool is_long = skip("function ");
  Args name;
  auto read_name = [&](bool may_be_operator) {
    uint32_t end = may_be_operator ? name_end(lexer_, at) : lexer_.identifier_end(at);
    if (end == at) return false;
    Syntax *node = arena_.make(Head::Identifier, span(at, end));
    node->name = symbol(source.substr(at, end - at));
    name.push_back(node);
    at = end;
    return true;
  };
  if (!read_name(true) || (skip(".") && !read_name(false)) || at >= source.size() || source[at] != '(') return nullptr;
  for (const Syntax *part : name)
    if (std::ranges::count(std::initializer_list<std::string_view>{"if", "for", "while", "let", "begin", "module", "quote"}, part->name.text())) return nullptr;
  for (int depth = 0; at < source.size(); ++at) {
    char c = source[at];
    if (c == ';' || c == '#' || c == '"' || c == '\'') return nullptr;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  size_t line_end = source.find('\n', at);
  if (line_end == source.npos) return nullptr;
  uint32_t end = uint32_t(line_end);
  std::string_view rest = source.substr(at + 1, line_end - at - 1);
  if (is_long) {
    size_t close = source.find("\nend\n", at);
    if (close == source.npos || rest.find(" end") != rest.npos || rest.find(';') != rest.npos) return nullptr;
    end = uint32_t(close + 4);
  } else {
    std::string_view left = rest.substr(0, rest.find(" = "));
    if (left.size() == rest.size() || !(left.empty() || left.starts_with(" where ") || left.starts_with("::"))) return nullptr;
    if (goes_on_after(lexer_, end)) return nullptr;
  }
  Syntax *node = arena_.make(Head::Unread, span(start, end), std::move(name));
  node->scope = node->args.size() > 1 ? qualified : plain;
  seek(end, Tok::KwEnd);
  return node;
}

/// `for f in (:sin, :cos) ... end` around lines of @eval: it may define what a line of it that looks like a definition
/// names, where that is a variable what its symbols name. Whatever else such a line could define makes it be read now.
Syntax *Parser::unread_loop() {
  const uint32_t start = tok_.begin;
  std::string_view source = lexer_.text();
  size_t end = source.find("\nend\n", start), header_end = source.find("\n    @eval", start);
  if (end == source.npos || header_end >= end) return nullptr;
  Args names;
  auto add = [&](uint32_t from, uint32_t to) {
    Symbol name = symbol(source.substr(from, to - from));
    if (std::ranges::any_of(names, [&](const Syntax *known) { return known->name == name; })) return;
    Syntax *node = arena_.make(Head::Identifier, span(from, to));
    node->name = name;
    names.push_back(node);
  };
  std::vector<std::string_view> defined; // variables that stand for a name
  for (size_t line = header_end + 1; line < end; line = source.find('\n', line) + 1) {
    size_t at = source.find_first_not_of(' ', line);
    auto skip = [&](std::string_view word) {
      bool is_there = source.substr(at).starts_with(word);
      at += is_there ? word.size() : 0;
      return is_there;
    };
    skip("@eval ");
    if (skip("@inbounds ") || skip("@boundscheck ")) continue;
    skip("@inline ") || skip("@noinline ");
    bool is_function = skip("function ");
    if (source[at] == '$') {
      uint32_t to = lexer_.identifier_end(uint32_t(at + 1));
      if (to == at + 1 || source[to] != '(') return nullptr;
      defined.push_back(source.substr(at + 1, to - at - 1));
      continue;
    }
    uint32_t from = uint32_t(at), to = name_end(lexer_, from);
    if (to > from && source[to] == '(') {
      add(from, to);
      continue;
    }
    static constexpr std::string_view harmless[] = {"begin", "end", "return", "if", "else", "elseif", "while", "for", "nothing"};
    bool assigns = to > from && source.substr(to).starts_with(" = ");
    bool blank = source[at] == '\n' || source[at] == '#';
    if (is_function || !(assigns || blank || std::ranges::count(harmless, source.substr(from, to - from)))) return nullptr;
  }
  // `(f, op) in ((:add, :+), ...)`: the symbols in the places of those variables.
  size_t in = source.find(" in ", start);
  if (in >= header_end || source[in + 4] != '(' || source.find(" in ", in + 1) < header_end) return nullptr;
  std::vector<bool> is_name;
  for (size_t at = start + 4; at < in;) {
    size_t from = source.find_first_not_of("(, )", at), to = std::min(source.find_first_of(",) ", from), in);
    if (from >= in) break;
    is_name.push_back(std::ranges::count(defined, source.substr(from, to - from)) > 0);
    at = to;
  }
  const int row = is_name.size() > 1 ? 2 : 1; // depth of parentheses
  size_t place = 0;
  for (uint32_t i = uint32_t(in + 4), depth = 0; i < header_end; ++i) {
    char c = source[i];
    if (c == '"') i = uint32_t(std::min(source.find('"', i + 1), header_end));
    if (c == ')') --depth;
    if (c == '(' && int(++depth) == row) place = 0;
    if (c == ',' && int(depth) == row && row == 2) ++place;
    if (c != ':') continue;
    uint32_t from = i + 1 + (source[i + 1] == '('), to = name_end(lexer_, from); // :sin, :(==)
    if (to == from) return nullptr;
    if (place < is_name.size() && is_name[place]) add(from, to);
    i = to - (from == i + 1 ? 1 : 0); // behind the `)` too
  }
  Syntax *node = arena_.make(Head::Unread, span(start, uint32_t(end + 4)), std::move(names));
  node->scope = loop;
  seek(uint32_t(end + 4), Tok::KwEnd);
  return node;
}

/// What follows the `=` of a definition that began at `start`.
Syntax *Parser::unread_expression(uint32_t start) {
  if (!skips_bodies_ || tok_.newlines > 0 || ctx_.newline_ok || ctx_.generator || !starts_line(start)) return nullptr;
  std::string_view source = lexer_.text();
  size_t end = source.find('\n', tok_.begin);
  if (end == source.npos || goes_on_after(lexer_, uint32_t(end)) || !is_plain(source.substr(tok_.begin, end - tok_.begin)))
    return nullptr;
  return unread(uint32_t(end), ctx_.space_sensitive ? SpacedExpressionBody : ExpressionBody);
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
    return Error(ErrorKind::Internal, std::move(errors_));
  }
}

Result<const Syntax *> Parser::unread_statement(const Syntax &definition) {
  skips_bodies_ = true;
  postpones_ = false;
  try {
    seek(definition.at.begin, Tok::KwEnd);
    return statement();
  } catch (const SyntaxFailure &) {
    return Error(ErrorKind::Internal, std::move(errors_));
  }
}

Result<const Syntax *> read_definition(TypeContext &types, SyntaxArena &arena, const SourceFile &file, const Syntax &definition) {
  return Parser(types, arena, file, file.text()).unread_statement(definition);
}

Result<const Syntax *> read_body(TypeContext &types, SyntaxArena &arena, const SourceFile &file, const Syntax &body) {
  if (!body.is(Head::Unread)) return &body;
  KILN_TRY(const Syntax *read, Parser(types, arena, file, file.text().substr(0, body.at.end)).unread_body(body));
  return read;
}

} // namespace kiln::julia
