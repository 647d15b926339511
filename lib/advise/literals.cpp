// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "literals.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace kiln {
namespace {

/// Number of lines of a function or file that are searched for a literal.
constexpr uint32_t max_lines = 4000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(unsigned char c) { return std::isalnum(c) || c == '_' || c == '!' || c >= 0x80; }

/// Returns a line of source code with its strings blanked and its comment removed.
std::string code_of(std::string_view line) {
  std::string code(line);
  char quote = 0;
  for (size_t i = 0; i < code.size(); i++) {
    if (quote) {
      const bool ends = code[i] == quote;
      if (code[i] == '\\' && i + 1 < code.size()) code[i++] = ' ';
      code[i] = ' ';
      if (ends) quote = 0;
    } else if (code[i] == '"') {
      quote = code[i];
      code[i] = ' ';
    } else if (code[i] == '#') {
      code.resize(i);
    }
  }
  return code;
}

class Reader {
public:
  explicit Reader(std::string code) : code_(std::move(code)) {}

  std::vector<Literal> run() {
    while (at_ < code_.size()) {
      const bool is_start = is_digit(code_[at_]) ||
                            (code_[at_] == '.' && is_digit(next(1)) && (at_ == 0 || code_[at_ - 1] != '.'));
      if (is_start)
        read();
      else if (is_word(code_[at_]))
        skip_word();
      else
        at_++;
    }
    return std::move(literals_);
  }

private:
  char next(size_t ahead) const { return at_ + ahead < code_.size() ? code_[at_ + ahead] : '\0'; }
  void skip_word() {
    while (at_ < code_.size() && is_word(code_[at_])) at_++;
  }
  void skip_digits() {
    while (is_digit(next(0)) || (next(0) == '_' && is_digit(next(1)))) at_++;
  }

  void read() {
    const size_t begin = at_;
    const bool is_other_base = next(0) == '0' && (next(1) == 'x' || next(1) == 'o' || next(1) == 'b');
    skip_digits();
    Literal::Kind kind = Literal::Kind::Int64;
    // A point that starts a dotted operator (2.*x) or a range (1..n) does not belong to the number.
    if (next(0) == '.' && (is_digit(next(1)) ||
                           (!std::ispunct(static_cast<unsigned char>(next(1))) &&
                            !std::isalpha(static_cast<unsigned char>(next(1)))) ||
                           next(1) == ')' || next(1) == ',' || next(1) == ']' || next(1) == ';')) {
      at_++;
      skip_digits();
      kind = Literal::Kind::Float64;
    }
    const bool has_sign = next(1) == '-' || next(1) == '+';
    const bool has_exponent =
        (next(0) == 'e' || next(0) == 'E' || next(0) == 'f') && is_digit(has_sign ? next(2) : next(1));
    const bool is_float32 = has_exponent && next(0) == 'f';
    if (has_exponent) {
      at_ += has_sign ? 2 : 1;
      skip_digits();
      kind = Literal::Kind::Float64;
    }
    const size_t end = at_;
    // In Julia, a number directly before a name multiplies that name (2x). A letter followed by digits is a
    // type suffix (1i32).
    const bool has_suffix = (next(0) == 'i' || next(0) == 'u') && is_digit(next(1));
    if (is_other_base || has_suffix) skip_word();
    if (is_other_base || has_suffix || is_float32) return;
    std::string digits;
    std::copy_if(code_.begin() + ptrdiff_t(begin), code_.begin() + ptrdiff_t(end), std::back_inserter(digits),
                 [](char c) { return c != '_'; });
    Literal literal{.kind = kind, .begin = begin, .end = end};
    std::from_chars(digits.data(), digits.data() + digits.size(), literal.value);
    literals_.push_back(literal);
  }

  std::string code_;
  size_t at_ = 0;
  std::vector<Literal> literals_;
};

/// Returns true if the line assigns just the literal to a name, as in `s = 0.0` or `a, b = 0.0, 1.0`. Returns
/// false for `s /= 2` and `s == 2`.
bool is_assigned(std::string_view line, const Literal &literal) {
  const size_t before = line.find_last_not_of(' ', literal.begin == 0 ? 0 : literal.begin - 1);
  const size_t behind = line.find_first_not_of(' ', literal.end);
  const bool is_set =
      before != std::string_view::npos && line[before] == '=' &&
      (before == 0 || std::string_view("=<>!+-*/\\^%&|~").find(line[before - 1]) == std::string_view::npos);
  const bool begins =
      literal.begin > 0 && before != std::string_view::npos && (is_set || line[before] == ',');
  return begins && (behind == std::string_view::npos ||
                    std::string_view(",;)#").find(line[behind]) != std::string_view::npos);
}

enum class Where : uint8_t { Statement, Assignment };

std::optional<PlacedLiteral> literal_in(const SourceFile &file, uint32_t line, size_t from, Where where,
                                        const std::function<bool(const Literal &)> &is_wanted) {
  const std::string_view text = file.line(line);
  const std::vector<Literal> literals = literals_of(text);
  const auto found = std::find_if(literals.begin(), literals.end(), [&](const Literal &literal) {
    return literal.begin >= from && is_wanted(literal) &&
           (where == Where::Statement || is_assigned(text, literal));
  });
  if (found == literals.end()) return std::nullopt;
  const auto base = uint32_t(text.data() - file.text().data());
  return PlacedLiteral{
      std::string(text.substr(found->begin, found->end - found->begin)),
      Location{file.shared_from_this(), base + uint32_t(found->begin), base + uint32_t(found->end)}};
}

} // namespace

std::vector<Literal> literals_of(std::string_view line) { return Reader(code_of(line)).run(); }

std::string as_float32(std::string_view literal) {
  std::string text(literal);
  const size_t exponent = text.find_first_of("eE");
  if (exponent != std::string::npos) {
    text[exponent] = 'f';
    return text;
  }
  // Examples: 2.0 and 2. become 2f0, while 2.5 becomes 2.5f0.
  const size_t point = text.find('.');
  if (point != std::string::npos && text.find_first_not_of('0', point + 1) == std::string::npos && point > 0)
    text.resize(point);
  return text + "f0";
}

std::optional<PlacedLiteral> find_literal(const Location &statement, uint32_t first,
                                          const std::function<bool(const Literal &)> &is_wanted) {
  if (!statement) return std::nullopt;
  const SourceFile &file = *statement.file;
  const uint32_t line = statement.line();
  const size_t from = size_t(statement.begin) - size_t(file.line(line).data() - file.text().data());
  if (auto found = literal_in(file, line, from, Where::Statement, is_wanted)) return found;
  const uint32_t lowest = std::max(first, line > max_lines ? line - max_lines : 1u);
  for (uint32_t before = line; before > lowest; before--)
    if (auto found = literal_in(file, before - 1, 0, Where::Assignment, is_wanted)) return found;
  for (uint32_t global = 1; global < first && global <= max_lines; global++)
    if (file.line(global).starts_with("const "))
      if (auto found = literal_in(file, global, 0, Where::Assignment, is_wanted)) return found;
  return std::nullopt;
}

} // namespace kiln
