// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "strings.h"

#include <fmt/format.h>

namespace kiln::julia {

void normalize_line_ends(std::string &text) {
  if (text.find('\r') == text.npos) return;
  size_t out = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      text[out++] = '\n';
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    } else {
      text[out++] = text[i];
    }
  }
  text.resize(out);
}

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Calls f with start and end of the indentation of each line that counts. Blank lines do not count.
template <class F> void each_indentation(const RawChunk &chunk, bool last_chunk, F f) {
  const std::string &s = chunk.text;
  for (size_t nl = s.find('\n'); nl != s.npos; nl = s.find('\n', nl + 1)) {
    size_t p = nl + 1;
    while (p < s.size() && is_blank(s[p])) ++p;
    if (p < s.size() && s[p] == '\n') continue; // a blank line
    if (p == s.size() && !chunk.before_interpolation && !last_chunk) continue;
    f(nl + 1, p);
  }
}

} // namespace

void remove_indentation(std::vector<RawChunk> &chunks) {
  std::optional<std::string> common;
  for (size_t i = 0; i < chunks.size(); ++i)
    each_indentation(chunks[i], i + 1 == chunks.size(), [&](size_t begin, size_t end) {
      std::string_view indent(chunks[i].text.data() + begin, end - begin);
      if (!common) {
        common = std::string(indent);
      } else {
        size_t n = 0;
        while (n < common->size() && n < indent.size() && (*common)[n] == indent[n]) ++n;
        common->resize(n);
      }
    });
  const size_t width = common ? common->size() : 0;
  for (RawChunk &chunk : chunks) {
    std::string &s = chunk.text;
    if (width > 0) {
      std::string out;
      size_t from = 0;
      for (size_t nl = s.find('\n'); nl != s.npos; nl = s.find('\n', from)) {
        out.append(s, from, nl + 1 - from);
        from = nl + 1;
        for (size_t n = 0; n < width && from < s.size() && is_blank(s[from]); ++n) ++from;
      }
      out.append(s, from);
      s = std::move(out);
    }
    if (&chunk == &chunks.front() && !chunk.after_interpolation && !s.empty() && s[0] == '\n') s.erase(0, 1);
  }
}

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

} // namespace

std::optional<EscapeError> unescape(std::string_view text, std::string &out) {
  for (size_t i = 0; i < text.size();) {
    size_t slash = text.find('\\', i);
    out += text.substr(i, slash - i);
    if (slash == text.npos) break;
    if (slash + 1 == text.size()) return EscapeError{"a backslash at the end", slash, 1};
    char c = text[slash + 1];
    i = slash + 2;
    switch (c) {
    case 'n': out += '\n'; continue;
    case 't': out += '\t'; continue;
    case 'r': out += '\r'; continue;
    case 'a': out += '\a'; continue;
    case 'b': out += '\b'; continue;
    case 'e': out += '\x1b'; continue;
    case 'f': out += '\f'; continue;
    case 'v': out += '\v'; continue;
    case '\\':
    case '"':
    case '\'':
    case '$':
    case '`': out += c; continue;
    case '\n': // joins lines, without the next line's indentation
      while (i < text.size() && is_blank(text[i])) ++i;
      continue;
    default: break;
    }
    if (c >= '0' && c <= '7') {
      uint32_t v = 0;
      for (i = slash + 1; i < text.size() && i < slash + 4 && text[i] >= '0' && text[i] <= '7'; ++i)
        v = v * 8 + uint32_t(text[i] - '0');
      if (v > 255) return EscapeError{"an octal escape is at most \\377", slash, i - slash};
      out += char(v);
      continue;
    }
    size_t max_digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (max_digits == 0) return EscapeError{"unknown escape sequence", slash, 2};
    uint32_t v = 0;
    size_t start = i;
    for (; i < text.size() && i < start + max_digits && hex_digit(text[i]) >= 0; ++i)
      v = v << 4 | uint32_t(hex_digit(text[i]));
    if (i == start) return EscapeError{fmt::format("`\\{}` wants hexadecimal digits", c), slash, 2};
    if (c == 'x') {
      out += char(v);
    } else if (v > 0x10ffff) {
      return EscapeError{"no Unicode character has this number", slash, i - slash};
    } else {
      append_utf8(out, v);
    }
  }
  return std::nullopt;
}

std::string unescape_raw(std::string_view text, char delimiter) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      out += text[i++];
      continue;
    }
    size_t run = 0;
    while (i + run < text.size() && text[i + run] == '\\') ++run;
    i += run;
    bool before_delimiter = i == text.size() || text[i] == delimiter;
    out.append(before_delimiter ? run / 2 : run, '\\');
    // An odd number of backslashes escapes the delimiter.
    if (before_delimiter && i < text.size()) out += text[i++];
  }
  return out;
}

} // namespace kiln::julia
