// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "npy_literal.h"

#include <fmt/format.h>

namespace kiln {

namespace {

constexpr int max_depth = 16; // NumPy's headers nest three deep, plus one per nested struct

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string &out, uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += {char(0xc0 | c >> 6), char(0x80 | (c & 0x3f))};
  } else if (c < 0x10000) {
    out += {char(0xe0 | c >> 12), char(0x80 | (c >> 6 & 0x3f)), char(0x80 | (c & 0x3f))};
  } else {
    out += {char(0xf0 | c >> 18), char(0x80 | (c >> 12 & 0x3f)), char(0x80 | (c >> 6 & 0x3f)),
            char(0x80 | (c & 0x3f))};
  }
}

class LiteralParser {
public:
  LiteralParser(std::string_view text, bool latin1, const std::string &name)
      : text_(text), latin1_(latin1), name_(name) {}

  Result<PythonLiteral> parse() {
    KILN_TRY(PythonLiteral literal, value(0));
    skip_space();
    if (at_ != text_.size()) return fault("text after its end");
    return literal;
  }

private:
  Error fault(std::string_view what) const {
    return input_error(
        fmt::format("{}: its header cannot be read: {} at character {}", name_, what, at_ + 1));
  }
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }

  Result<PythonLiteral> value(int depth) {
    if (depth > max_depth) return fault("it nests too deep");
    skip_space();
    PythonLiteral made;
    if (take('{')) return items(PythonLiteral::Kind::Dict, '}', depth);
    if (take('[')) return items(PythonLiteral::Kind::List, ']', depth);
    if (take('(')) return items(PythonLiteral::Kind::Tuple, ')', depth);
    if (take_word("True") || take_word("False")) {
      made.kind = PythonLiteral::Kind::Boolean;
      made.boolean = text_[at_ - 1] == 'e' && text_[at_ - 2] == 'u';
      return made;
    }
    if (take_word("None")) return made;
    if (is_digit(peek())) return integer();
    size_t begin = at_;
    if (peek() == 'u' || peek() == 'b') ++at_; // Python 2 wrote prefixes
    if (peek() == '\'' || peek() == '"') return string();
    at_ = begin;
    return fault(at_end() ? "it ends too early" : "something that is no literal");
  }

  Result<PythonLiteral> integer() {
    PythonLiteral made;
    made.kind = PythonLiteral::Kind::Integer;
    for (; is_digit(peek()); ++at_)
      if (__builtin_mul_overflow(made.integer, uint64_t(10), &made.integer) ||
          __builtin_add_overflow(made.integer, uint64_t(peek() - '0'), &made.integer))
        return fault("a number that is too large");
    if (peek() == 'L') ++at_; // Python 2
    return made;
  }

  Result<PythonLiteral> items(PythonLiteral::Kind kind, char close, int depth) {
    PythonLiteral made;
    made.kind = kind;
    bool comma = true, any_comma = false;
    for (;;) {
      skip_space();
      if (take(close)) break;
      if (!comma) return fault("no comma where one belongs");
      KILN_TRY(PythonLiteral item, value(depth + 1));
      skip_space();
      if (kind == PythonLiteral::Kind::Dict) {
        if (item.kind != PythonLiteral::Kind::String) return fault("a key that is no string");
        if (made.find(item.text)) return fault(fmt::format("the key '{}' a second time", item.text));
        if (!take(':')) return fault("no colon after a key");
        made.items.push_back(std::move(item));
        KILN_TRY(PythonLiteral under, value(depth + 1));
        item = std::move(under);
        skip_space();
      }
      made.items.push_back(std::move(item));
      comma = take(',');
      any_comma |= comma;
    }
    if (kind == PythonLiteral::Kind::Tuple && made.items.size() == 1 && !any_comma) { // only parentheses
      PythonLiteral inner = std::move(made.items[0]);
      return inner;
    }
    return made;
  }

  Result<PythonLiteral> string() {
    PythonLiteral made;
    made.kind = PythonLiteral::Kind::String;
    char quote = text_[at_++];
    for (;;) {
      if (at_end() || peek() == '\n') return fault("a string without an end");
      char c = text_[at_++];
      if (c == quote) return made;
      if (c == '\\') {
        KILN_CHECK(escape(made.text));
      } else if (latin1_) {
        append_utf8(made.text, uint8_t(c));
      } else {
        made.text += c;
      }
    }
  }

  Result<void> escape(std::string &out) {
    if (at_end()) return fault("a string without an end");
    char c = text_[at_++];
    int digits = 0;
    switch (c) {
    case '\\':
    case '\'':
    case '"': out += c; return {};
    case 'n': out += '\n'; return {};
    case 't': out += '\t'; return {};
    case 'r': out += '\r'; return {};
    case 'x': digits = 2; break;
    case 'u': digits = 4; break;
    case 'U': digits = 8; break;
    default: return fault("an unknown escape in a string");
    }
    uint32_t code = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      char d = peek();
      uint32_t digit = is_digit(d)            ? uint32_t(d - '0')
                       : d >= 'a' && d <= 'f' ? uint32_t(d - 'a' + 10)
                       : d >= 'A' && d <= 'F' ? uint32_t(d - 'A' + 10)
                                              : 16;
      if (digit == 16) return fault("an escape with too few digits");
      code = code << 4 | digit;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return fault("an escape that is no character");
    append_utf8(out, code);
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  bool latin1_;
  const std::string &name_;
};

} // namespace

const PythonLiteral *PythonLiteral::find(std::string_view key) const {
  if (kind != Kind::Dict) return nullptr;
  for (size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i].text == key) return &items[i + 1];
  return nullptr;
}

Result<PythonLiteral> parse_python_literal(std::string_view text, bool latin1, const std::string &name) {
  return LiteralParser(text, latin1, name).parse();
}

std::string python_string(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    switch (c) {
    case '\\': out += "\\\\"; break;
    case '\'': out += "\\'"; break;
    case '\n': out += "\\n"; break;
    case '\t': out += "\\t"; break;
    case '\r': out += "\\r"; break;
    default:
      if (uint8_t(c) < 0x20 || c == 0x7f)
        out += fmt::format("\\x{:02x}", uint8_t(c));
      else
        out += c;
    }
  }
  return out + "'";
}

} // namespace kiln
