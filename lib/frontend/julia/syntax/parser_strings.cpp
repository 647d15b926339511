// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parser_core.h"
#include "strings.h"

namespace kiln::julia {

std::string Parser::checked_unescape(std::string_view raw, uint32_t offset) {
  std::string out;
  if (std::optional<EscapeError> error = unescape(raw, out)) {
    uint32_t begin = offset + uint32_t(error->at);
    fail(span(begin, begin + uint32_t(error->length)), error->message);
  }
  return out;
}

/// Parses $name or $(expression) inside of a string. `at_offset`: offset of the `$`; set to that of the text
/// after the interpolation.
Syntax *Parser::interpolation(uint32_t &at_offset) {
  const uint32_t begin = at_offset;
  if (lexer_.peek(begin + 1) == '(') {
    lexer_.seek(begin + 1);
    advance();
    tok_.newlines = 0;
    In in(*this, normal());
    Deeper level(*this);
    Items list = items(Tok::RParen, false, false);
    at_offset = tok_.end;
    previous_ = tok_;
    return from_items(begin + 1, std::move(list));
  }
  const uint32_t end = lexer_.identifier_end(begin + 1);
  if (end == begin + 1)
    fail(span(begin, begin + 1), "a name or `(` follows `$` in a string", {},
         "for the character itself write \\$");
  at_offset = end;
  return arena_.identifier(symbol(lexer_.text().substr(begin + 1, end - begin - 1)), span(begin + 1, end));
}

Syntax *Parser::string() {
  const Token open = tok_;
  std::string_view source = lexer_.text();
  const bool triple = source.substr(open.begin, 3) == "\"\"\"";
  uint32_t p = open.begin + (triple ? 3 : 1), chunk_begin = p;
  std::vector<RawChunk> chunks(1);
  Args expressions; // expression i follows chunk i
  auto close_chunk = [&] {
    chunks.back().text = std::string(source.substr(chunk_begin, p - chunk_begin));
    chunks.back().offset = chunk_begin;
  };
  for (;;) {
    size_t found = source.find_first_of("\"\\$", p);
    if (found == source.npos) fail(span(open.begin, open.begin + (triple ? 3 : 1)), "unterminated string");
    p = uint32_t(found);
    if (source[p] == '\\') {
      p += 2;
    } else if (source[p] == '$') {
      close_chunk();
      chunks.back().before_interpolation = true;
      expressions.push_back(interpolation(p));
      chunks.emplace_back().after_interpolation = true;
      chunk_begin = p;
    } else if (!triple || source.substr(p, 3) == "\"\"\"") {
      close_chunk();
      break;
    } else {
      ++p;
    }
  }
  p += triple ? 3 : 1;
  seek(p, Tok::DoubleQuote);
  const Span place = span(open.begin, p);
  for (RawChunk &chunk : chunks) normalize_line_ends(chunk.text);
  if (triple) remove_indentation(chunks);
  Args parts;
  for (size_t i = 0; i < chunks.size(); ++i) {
    std::string value = checked_unescape(chunks[i].text, chunks[i].offset);
    if (expressions.empty()) return string_literal(std::move(value), place);
    if (!value.empty())
      parts.push_back(string_literal(
          std::move(value), span(chunks[i].offset, chunks[i].offset + uint32_t(chunks[i].text.size()))));
    if (i < expressions.size()) parts.push_back(expressions[i]);
  }
  return make(Head::StringInterpolation, place, std::move(parts));
}

std::string Parser::raw_text(char delimiter) {
  const Token open = tok_;
  std::string_view source = lexer_.text();
  const std::string three(3, delimiter);
  const bool triple = source.substr(open.begin, 3) == three;
  const uint32_t width = triple ? 3 : 1, begin = open.begin + width;
  size_t p = begin;
  for (;; ++p) {
    if (p >= source.size())
      fail(span(open.begin, begin), delimiter == '`' ? "unterminated command" : "unterminated string");
    if (source[p] == '\\')
      ++p;
    else if (source[p] == delimiter && (!triple || source.substr(p, 3) == three))
      break;
  }
  std::vector<RawChunk> chunks{{std::string(source.substr(begin, p - begin)), begin}};
  seek(uint32_t(p) + width, Tok::DoubleQuote);
  normalize_line_ends(chunks[0].text);
  if (triple) remove_indentation(chunks);
  return unescape_raw(chunks[0].text, delimiter);
}

Syntax *Parser::command() {
  const Token open = tok_;
  Syntax *name = make(Head::MacroName, span(open), {});
  name->name = symbol("@cmd");
  std::string body = raw_text('`');
  const Span place = span(open.begin, previous_.end);
  return make(Head::MacroCall, place, name, string_literal(std::move(body), place));
}

Syntax *Parser::character() {
  const Token open = tok_;
  std::string_view source = lexer_.text();
  uint32_t p = open.end;
  std::string bytes;
  if (lexer_.peek(p) == '\\') {
    uint32_t begin = p;
    p += 2;
    while (p < source.size() && source[p] != '\'' && source[p] != '\n' && p - begin < 12) ++p;
    bytes = checked_unescape(source.substr(begin, p - begin), begin);
  } else {
    Decoded d = decode_utf8(source, p);
    if (!d.length || d.c == '\n') fail(span(open), "unterminated character literal");
    if (d.c == '\'' && lexer_.peek(p + 1) != '\'') fail(span(open.begin, p + 1), "empty character literal");
    bytes = std::string(source.substr(p, d.length));
    p += d.length;
  }
  if (lexer_.peek(p) != '\'')
    fail(span(open.begin, std::min(p + 1, uint32_t(source.size()))),
         "a character literal holds one character", {}, "strings are quoted with \"");
  ++p;
  const Decoded d = decode_utf8(bytes, 0);
  if (bytes.empty() || (bytes.size() > 1 && d.length != bytes.size()))
    fail(span(open.begin, p), "a character literal holds one character");
  seek(p, Tok::Prime);
  previous_.kind = Tok::DoubleQuote; // prevents juxtaposition with the literal
  uint32_t bits = 0;                 // value of a Char: its UTF-8 bytes, the first in the highest byte
  for (size_t i = 0; i < bytes.size(); ++i) bits |= uint32_t(uint8_t(bytes[i])) << (24 - 8 * i);
  return arena_.literal(Value::primitive(types_.builtins().Char, {bits, 0}), span(open.begin, p));
}

} // namespace kiln::julia
