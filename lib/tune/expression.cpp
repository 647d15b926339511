// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expression.h"

#include <kiln/extension/language/internal/hint.h>

#include <algorithm>
#include <charconv>

namespace kiln {

std::string parameter_hint(std::string_view lead, std::string_view name) {
  return fmt::format(
      "{}{}", lead,
      fmt::format(fmt::runtime(by_door("--param {0}=1,2,4, or \"parameters\": {{\"{0}\": [1, 2, 4]}}",
                                       "\"parameters\": {{\"{0}\": [1, 2, 4]}}",
                                       "parameters={{\"{0}\": [1, 2, 4]}}")),
                  name));
}

namespace {

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

struct Function {
  std::string_view name;
  size_t min_arguments, max_arguments; ///< number of arguments
};
constexpr Function functions[] = {{"cld", 2, 2},    {"fld", 2, 2},      {"div", 2, 2},  {"rem", 2, 2},
                                  {"mod", 2, 2},    {"min", 2, 8},      {"max", 2, 8},  {"abs", 1, 1},
                                  {"ispow2", 1, 1}, {"nextpow2", 1, 1}, {"size", 2, 2}, {"length", 1, 1},
                                  {"value", 1, 1}};

/// Operators by precedence, loosest first.
struct Operator {
  std::string_view text;
  int level;
};
constexpr Operator operators[] = {{"||", 1}, {"&&", 2}, {"==", 3},     {"!=", 3}, {"<=", 3},
                                  {">=", 3}, {"<", 3},  {">", 3},      {"+", 4},  {"-", 4},
                                  {"*", 5},  {"/", 5},  {"\u00f7", 5}, {"%", 5}};
constexpr int comparison = 3, tightest = 5;
constexpr unsigned max_depth = 200;

constexpr int64_t min_value = std::numeric_limits<int64_t>::min();

int64_t floored(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

} // namespace

class ExpressionParser {
public:
  ExpressionParser(Expression &into, const std::function<bool(std::string_view)> &is_known)
      : into_(into), text_(into.file_->text()), is_known_(is_known) {}

  Result<void> parse() {
    KILN_TRY(into_.root_, choice());
    skip();
    if (at_ < text_.size()) return fault(at_, at_ + 1, "the expression ends before this");
    return {};
  }

private:
  using Kind = Expression::Kind;
  Expression &into_;
  const std::string_view text_;
  const std::function<bool(std::string_view)> &is_known_;
  size_t at_ = 0;
  unsigned depth_ = 0;

  Error fault(size_t begin, size_t end, std::string message, std::string hint = {}) const {
    return make_error(ErrorCode::ExpressionError, std::move(message),
                      {into_.file_, uint32_t(begin), uint32_t(std::min(end, text_.size()))}, std::move(hint));
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) at_++;
  }
  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  uint32_t add(Expression::Node node, size_t begin) {
    node.begin = uint32_t(begin);
    node.end = uint32_t(at_);
    into_.nodes_.push_back(std::move(node));
    return uint32_t(into_.nodes_.size() - 1);
  }

  Result<uint32_t> choice() {
    skip();
    const size_t begin = at_;
    if (++depth_ > max_depth) return fault(begin, begin + 1, "the expression nests too deeply");
    KILN_TRY(uint32_t condition, binary(1));
    if (take("?")) {
      KILN_TRY(uint32_t yes, choice());
      if (!take(":")) return fault(at_, at_ + 1, "`:` is missing: c ? a : b");
      KILN_TRY(uint32_t no, choice());
      condition = add({.kind = Kind::Choice, .operands = {condition, yes, no}}, begin);
    }
    depth_--;
    return condition;
  }

  std::string_view take_operator(int level) {
    skip();
    for (const Operator &each : operators)
      if (text_.substr(at_, each.text.size()) == each.text) { // longest operators first
        if (each.level != level) return {};
        at_ += each.text.size();
        return each.text;
      }
    return {};
  }

  Result<uint32_t> binary(int level) {
    if (level > tightest) return unary();
    skip();
    const size_t begin = at_;
    KILN_TRY(uint32_t left, binary(level + 1));
    for (size_t count = 0;; count++) {
      const size_t sign = (skip(), at_);
      const std::string_view found = take_operator(level);
      if (found.empty()) return left;
      if (level == comparison && count)
        return fault(sign, at_, "comparisons do not chain here", "write a < b && b < c");
      KILN_TRY(uint32_t right, binary(level + 1));
      left = add({.kind = Kind::Binary, .name = std::string(found), .operands = {left, right}}, begin);
    }
  }

  Result<uint32_t> unary() {
    skip();
    const size_t begin = at_;
    if (++depth_ > max_depth) return fault(begin, begin + 1, "the expression nests too deeply");
    for (std::string_view sign : {"-", "!"})
      if (take(sign)) {
        KILN_TRY(uint32_t operand, unary());
        depth_--;
        return add({.kind = Kind::Unary, .name = std::string(sign), .operands = {operand}}, begin);
      }
    KILN_TRY(uint32_t base, primary());
    if (take("^")) {
      KILN_TRY(uint32_t exponent, unary());
      base = add({.kind = Kind::Binary, .name = "^", .operands = {base, exponent}}, begin);
    }
    depth_--;
    return base;
  }

  Result<uint32_t> primary() {
    skip();
    const size_t begin = at_;
    if (at_ == text_.size()) return fault(at_, at_ + 1, "the expression ends where a value is expected");
    if (take("(")) {
      KILN_TRY(uint32_t inner, choice());
      if (!take(")")) return fault(at_, at_ + 1, "`)` is missing");
      return inner;
    }
    if (is_digit(text_[at_])) return number();
    // A name may also have the form that it has in texts: $NAME, $(NAME).
    const bool has_dollar = take("$");
    const bool is_bracketed = has_dollar && take("(");
    size_t end = at_;
    while (end < text_.size() && (end == at_ ? starts_name(text_[end]) : continues_name(text_[end]))) end++;
    if (end == at_)
      return fault(
          begin, begin + 1, "a number, a name or `(` is expected here",
          "expressions are made of whole numbers, names of parameters and sizes, + - * / ÷ % ^, comparisons, && || !, c ? a : b and functions");
    const std::string name(text_.substr(at_, end - at_));
    at_ = end;
    if (is_bracketed && !take(")")) return fault(at_, at_ + 1, "`)` is missing");
    if (!has_dollar && take("(")) return call(name, begin);
    if (name == "true" || name == "false") return add({.number = name == "true"}, begin);
    if (!is_known_(name))
      return fault(begin, end, fmt::format("there is no parameter or size `{}`", name),
                   fmt::format("names are those of {} and {}",
                               by_door("--param", "\"parameters\"", "parameters"),
                               by_door("--size", "\"sizes\"", "sizes")));
    return add({.kind = Kind::Name, .name = name}, begin);
  }

  Result<uint32_t> number() {
    const size_t begin = at_;
    int64_t value = 0;
    auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    at_ = size_t(stop - text_.data());
    if (error != std::errc()) return fault(begin, at_, "a number above 2^63 - 1");
    if (at_ < text_.size() && (text_[at_] == '.' || starts_name(text_[at_])))
      return fault(begin, at_ + 1, "expressions are of whole numbers");
    return add({.number = value}, begin);
  }

  Result<uint32_t> call(const std::string &name, size_t begin) {
    const auto *known = std::ranges::find(functions, std::string_view(name), &Function::name);
    if (known == std::end(functions)) {
      std::string all;
      for (const Function &each : functions) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.name);
      return fault(begin, begin + name.size(), fmt::format("there is no function {}", name),
                   "there are " + all);
    }
    std::vector<uint32_t> operands;
    if (!take(")")) do {
        KILN_TRY(uint32_t operand, choice());
        operands.push_back(operand);
        if (take(")")) break;
        if (!take(",")) return fault(at_, at_ + 1, "`,` or `)` is expected here");
      } while (true);
    if (operands.size() < known->min_arguments || operands.size() > known->max_arguments)
      return fault(begin, at_,
                   fmt::format("{} takes {}{} arguments, not {}", name, known->min_arguments,
                               known->max_arguments > known->min_arguments ? " or more" : "",
                               operands.size()));
    return add({.kind = Kind::Call, .name = name, .operands = std::move(operands)}, begin);
  }
};

Result<Expression> Expression::parse(std::string_view what, std::string_view text,
                                     const std::function<bool(std::string_view)> &is_known,
                                     int64_t otherwise) {
  Expression made;
  made.file_ = std::make_shared<const SourceFile>(0, std::string(what), std::string(text));
  if (text.find_first_not_of(" \t\n") == std::string_view::npos) {
    made.nodes_.push_back({.number = otherwise});
    return made;
  }
  KILN_CHECK(ExpressionParser(made, is_known).parse());
  return made;
}

Error Expression::fault(const Node &node, std::string message, std::string hint) const {
  return make_error(ErrorCode::ExpressionError, std::move(message), {file_, node.begin, node.end},
                    std::move(hint));
}

Result<int64_t> Expression::evaluate(const ExpressionScope &scope) const {
  return evaluate(nodes_[root_], scope);
}

Result<int64_t> Expression::evaluate(const Node &node, const ExpressionScope &scope) const {
  if (node.kind == Kind::Number) return node.number;
  if (node.kind == Kind::Name) {
    auto value = scope.value(node.name);
    if (!value.ok()) return fault(node, value.error().diagnostics()[0].message);
    return value;
  }
  if (node.kind == Kind::Call) return call(node, scope);
  KILN_TRY(const int64_t a, evaluate(nodes_[node.operands[0]], scope));
  if (node.kind == Kind::Choice) return evaluate(nodes_[node.operands[a ? 1 : 2]], scope);
  if (node.kind == Kind::Unary) {
    if (node.name == "!") return int64_t(!a);
    return a == min_value ? Result<int64_t>(fault(node, "the value is above 2^63 - 1")) : Result<int64_t>(-a);
  }
  const std::string_view name = node.name;
  if (name == "&&" && !a) return int64_t(0);
  if (name == "||" && a) return int64_t(1);
  KILN_TRY(const int64_t b, evaluate(nodes_[node.operands[1]], scope));
  if (name == "&&" || name == "||") return int64_t(b != 0);
  if (name == "==") return int64_t(a == b);
  if (name == "!=") return int64_t(a != b);
  if (name == "<") return int64_t(a < b);
  if (name == ">") return int64_t(a > b);
  if (name == "<=") return int64_t(a <= b);
  if (name == ">=") return int64_t(a >= b);
  int64_t value = 0;
  bool overflows = false;
  if (name == "+")
    overflows = __builtin_add_overflow(a, b, &value);
  else if (name == "-")
    overflows = __builtin_sub_overflow(a, b, &value);
  else if (name == "*")
    overflows = __builtin_mul_overflow(a, b, &value);
  else if (name == "^") {
    if (b < 0) return fault(node, "a negative exponent");
    value = 1;
    for (int64_t i = 0; i < b && !overflows && value != 0 && (a != 1); i++) {
      if (a == -1 && i > 1) { // (-1)^b depends only on the parity of b
        value = b % 2 ? -1 : 1;
        break;
      }
      overflows = __builtin_mul_overflow(value, a, &value);
    }
  } else {
    if (b == 0) return fault(node, "a division by 0");
    if (a == min_value && b == -1) return fault(node, "the value is above 2^63 - 1");
    if (name == "/" && a % b != 0)
      return fault(node, fmt::format("{} / {} is no whole number", a, b), "cld rounds up, fld or ÷ down");
    value = name == "%" ? a % b : a / b;
  }
  if (overflows) return fault(node, "the value is above 2^63 - 1");
  return value;
}

Result<int64_t> Expression::call(const Node &node, const ExpressionScope &scope) const {
  std::vector<int64_t> values;
  for (uint32_t operand : node.operands) {
    KILN_TRY(const int64_t value, evaluate(nodes_[operand], scope));
    values.push_back(value);
  }
  const std::string_view name = node.name;
  if (name == "size" || name == "length" || name == "value") {
    if (name == "size" && values[1] < 1) return fault(node, "dimensions are counted from 1");
    auto found = scope.size(values[0], name == "size" ? values[1] : name == "length" ? 0 : -1);
    if (!found.ok()) return fault(node, found.error().diagnostics()[0].message);
    return found;
  }
  if (name == "min") return std::ranges::min(values);
  if (name == "max") return std::ranges::max(values);
  const int64_t a = values[0];
  if (name == "ispow2") return int64_t(a > 0 && (a & (a - 1)) == 0);
  if (name == "nextpow2") {
    if (a > int64_t(1) << 62) return fault(node, "the value is above 2^63 - 1");
    int64_t power = 1;
    while (power < a) power *= 2;
    return power;
  }
  if (name == "abs")
    return a == min_value ? Result<int64_t>(fault(node, "the value is above 2^63 - 1"))
                          : Result<int64_t>(a < 0 ? -a : a);
  const int64_t b = values[1];
  if (b == 0) return fault(node, "a division by 0");
  if (a == min_value && b == -1) return fault(node, "the value is above 2^63 - 1");
  if (name == "div") return a / b;
  if (name == "rem") return a % b;
  if (name == "fld") return floored(a, b);
  if (name == "mod") return a - floored(a, b) * b;
  return floored(a, b) + (a % b != 0); // cld
}

// ---- texts with names

namespace {

/// Splits `whole` at its names. Calls `text` for the parts between names, and `name` for each name, until
/// `name` returns false.
void split(std::string_view whole, const std::function<void(std::string_view)> &text,
           const std::function<bool(std::string_view)> &name) {
  size_t begin = 0;
  for (size_t at = 0; (at = whole.find('$', at)) != std::string_view::npos;) {
    const bool is_bracketed = whole.substr(at + 1, 1) == "(";
    const size_t first = at + 1 + is_bracketed;
    size_t end = first;
    while (end < whole.size() && (end == first ? starts_name(whole[end]) : continues_name(whole[end]))) end++;
    if (end == first || (is_bracketed && whole.substr(end, 1) != ")")) {
      at++;
      continue;
    }
    text(whole.substr(begin, at - begin));
    if (!name(whole.substr(first, end - first))) return;
    begin = at = end + is_bracketed;
  }
  text(whole.substr(begin));
}

} // namespace

Result<std::string> fill_names(std::string_view text,
                               const std::function<const std::string *(std::string_view)> &find) {
  std::string out, missing;
  split(
      text, [&](std::string_view part) { out += part; },
      [&](std::string_view name) {
        const std::string *value = find(name);
        if (value)
          out += *value;
        else
          missing = name;
        return value != nullptr;
      });
  if (!missing.empty())
    return make_error(ErrorCode::SpaceError,
                      fmt::format("`{}` names ${}, which is no parameter", text, missing), {},
                      parameter_hint("give it values: ", missing));
  return out;
}

std::set<std::string, std::less<>> names_in(std::string_view text) {
  std::set<std::string, std::less<>> names;
  split(
      text, [](std::string_view) {},
      [&](std::string_view name) {
        names.emplace(name);
        return true;
      });
  return names;
}

} // namespace kiln
