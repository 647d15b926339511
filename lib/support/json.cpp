// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json.h"

#include "unicode.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace kiln {

/// Returns true for a character that UTF-8 text may contain: no surrogate, and at most U+10FFFF.
static bool is_utf8(unicode::Char character) {
  if (!character.is_valid()) return false;
  const uint32_t code = character.code();
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (size_t at = 0, size = 1; at < text.size(); at += size) {
    const char c = text[at];
    const unicode::Char character = unicode::char_at(text, at);
    size = std::min(character.size(), text.size() - at);
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (uint8_t(c) < 0x20)
      out += fmt::format("\\u{:04x}", unsigned(uint8_t(c)));
    else
      out += is_utf8(character) ? text.substr(at, size) : "\uFFFD";
  }
  return out + '"';
}

const JsonValue *JsonValue::find(std::string_view name) const {
  for (size_t i = 0; i < names.size(); i++)
    if (names[i].text == name) return &items[i];
  return nullptr;
}

std::string_view JsonValue::kind_name() const {
  static constexpr std::string_view kinds[] = {"null",     "true or false", "a number",
                                               "a string", "a list",        "an object"};
  return kinds[size_t(kind)];
}

namespace {

constexpr int deepest = 64; ///< maximum nesting depth of a JSON text

class Parser {
public:
  Parser(const std::shared_ptr<const SourceFile> &file, size_t begin, size_t end)
      : file_(file), text_(file->text().substr(0, end)), at_(begin) {}

  Result<JsonValue> whole() {
    KILN_TRY(JsonValue parsed, value(0));
    skip_blanks();
    if (at_ < text_.size()) return fault("there is more behind the value");
    return parsed;
  }

private:
  const std::shared_ptr<const SourceFile> &file_;
  std::string_view text_;
  size_t at_;

  Location from(size_t begin) const { return {file_, uint32_t(begin), uint32_t(at_)}; }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      at_++;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }
  Error fault(std::string what) const {
    uint32_t end = uint32_t(std::min(at_ + 1, text_.size()));
    return make_error(ErrorCode::JsonError,
                      at_ < text_.size() ? std::move(what) : what + ": the text ends here",
                      {file_, uint32_t(std::min<size_t>(at_, end)), end});
  }

  Result<JsonValue> value(int depth) {
    skip_blanks();
    if (depth > deepest) return fault(fmt::format("more than {} values inside each other", deepest));
    const size_t begin = at_;
    JsonValue made;
    auto word = [&](std::string_view wanted) {
      if (text_.substr(at_, wanted.size()) != wanted) return false;
      at_ += wanted.size();
      return true;
    };
    if (next() == '"') {
      made.kind = JsonValue::Kind::String;
      KILN_TRY(made.text, string());
    } else if (next() == '{') {
      KILN_CHECK(object(made, depth));
    } else if (next() == '[') {
      KILN_CHECK(array(made, depth));
    } else if (word("true")) {
      made.kind = JsonValue::Kind::Boolean;
      made.boolean = true;
    } else if (word("false")) {
      made.kind = JsonValue::Kind::Boolean;
    } else if (!word("null")) {
      KILN_CHECK(number(made));
    }
    made.at = from(begin);
    return made;
  }

  Result<void> object(JsonValue &made, int depth) {
    made.kind = JsonValue::Kind::Object;
    at_++;
    if (take('}')) return {};
    do {
      skip_blanks();
      const size_t begin = at_;
      if (next() != '"') return fault("a name in quotes was expected");
      KILN_TRY(std::string name, string());
      JsonValue::Name named{std::move(name), from(begin)};
      if (made.find(named.text))
        return make_error(ErrorCode::JsonError, fmt::format("{} stands here twice", named.text), named.at);
      if (!take(':')) return fault("a : was expected");
      KILN_TRY(JsonValue item, value(depth + 1));
      made.names.push_back(std::move(named));
      made.items.push_back(std::move(item));
    } while (take(','));
    if (!take('}')) return fault("a , or } was expected");
    return {};
  }

  Result<void> array(JsonValue &made, int depth) {
    made.kind = JsonValue::Kind::Array;
    at_++;
    if (take(']')) return {};
    do {
      KILN_TRY(JsonValue item, value(depth + 1));
      made.items.push_back(std::move(item));
    } while (take(','));
    if (!take(']')) return fault("a , or ] was expected");
    return {};
  }

  Result<void> number(JsonValue &made) {
    made.kind = JsonValue::Kind::Number;
    const size_t begin = at_;
    auto digits = [&] {
      size_t first = at_;
      while (next() >= '0' && next() <= '9') at_++;
      return at_ > first;
    };
    if (next() == '-') at_++;
    const size_t whole = at_;
    bool fits = digits() && (text_[whole] != '0' || at_ == whole + 1);
    if (fits && next() == '.') {
      at_++;
      fits = digits();
    }
    if (fits && (next() == 'e' || next() == 'E')) {
      at_++;
      if (next() == '+' || next() == '-') at_++;
      fits = digits();
    }
    if (!fits) {
      at_ = begin;
      return fault("a value was expected: a string in quotes, a number, true, false, [...] or {...}");
    }
    made.text = text_.substr(begin, at_ - begin);
    return {};
  }

  Result<uint32_t> four_digits() {
    uint32_t code = 0;
    for (int i = 0; i < 4; i++, at_++) {
      char c = next();
      int digit = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
      if (digit < 0) return fault("four hexadecimal digits were expected");
      code = code * 16 + uint32_t(digit);
    }
    return code;
  }

  static void add_utf8(std::string &out, uint32_t code) {
    if (code < 0x80)
      out += char(code);
    else if (code < 0x800)
      out += {char(0xC0 | code >> 6), char(0x80 | (code & 0x3F))};
    else if (code < 0x10000)
      out += {char(0xE0 | code >> 12), char(0x80 | (code >> 6 & 0x3F)), char(0x80 | (code & 0x3F))};
    else
      out += {char(0xF0 | code >> 18), char(0x80 | (code >> 12 & 0x3F)), char(0x80 | (code >> 6 & 0x3F)),
              char(0x80 | (code & 0x3F))};
  }

  Result<std::string> string() {
    std::string out;
    for (at_++;;) {
      if (at_ >= text_.size()) return fault("a string without its closing quote");
      char c = text_[at_];
      if (c == '"') break;
      if (uint8_t(c) < 0x20) return fault("a string ends on its line: \\n stands for a line break");
      at_++;
      if (c != '\\') {
        out += c;
        continue;
      }
      constexpr std::string_view escapes = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      if (size_t found = escapes.find(next()); at_ < text_.size() && found != std::string_view::npos) {
        out += meanings[found];
        at_++;
      } else if (next() == 'u') {
        at_++;
        KILN_TRY(uint32_t code, four_digits());
        if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
          at_ += 2;
          KILN_TRY(uint32_t low, four_digits());
          if (low < 0xDC00 || low > 0xDFFF) return fault("half of a pair of surrogates");
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        if (code >= 0xD800 && code < 0xE000) return fault("half of a pair of surrogates");
        add_utf8(out, code);
      } else {
        return fault("behind \\ stands one of \" \\ / b f n r t u");
      }
    }
    at_++;
    return out;
  }
};

} // namespace

Result<JsonValue> parse_json(const std::shared_ptr<const SourceFile> &file, size_t begin, size_t end) {
  return Parser(file, begin, end).whole();
}

} // namespace kiln
