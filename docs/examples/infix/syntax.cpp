// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax.h"

#include <cctype>
#include <charconv>
#include <map>

namespace infix {

using namespace kiln;
using Kind = Node::Kind;

namespace {

struct Token {
  enum class Kind { Name, Number, Sign, End } kind = Kind::End;
  std::string_view text;
  uint32_t begin = 0, end = 0;
  bool starts_line = false;
};

constexpr std::string_view signs = "+-*/%^<>=!";
bool is_letter(char c) { return std::isalpha(uint8_t(c)) || c == '_' || c == '.' || c == '!'; }

/// Tokens: names (with dots for names of Kiln's library), numbers, signs of one or two characters. Comments
/// start with #.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  bool starts_line = true;
  for (size_t at = 0;;) {
    for (; at < text.size() && (std::isspace(uint8_t(text[at])) || text[at] == '#'); at++) {
      if (text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1);
      starts_line |= text[at] == '\n';
    }
    const size_t begin = at;
    Token::Kind kind = Token::Kind::End;
    if (at == text.size()) {
    } else if (std::isdigit(uint8_t(text[at]))) {
      kind = Token::Kind::Number;
      while (at < text.size() && (std::isalnum(uint8_t(text[at])) || text[at] == '.' ||
                                  ((text[at] == '-' || text[at] == '+') && text[at - 1] == 'e')))
        at++;
    } else if (std::isalpha(uint8_t(text[at])) || text[at] == '_') {
      kind = Token::Kind::Name;
      while (at < text.size() && (is_letter(text[at]) || std::isdigit(uint8_t(text[at]))) &&
             text.substr(at, 2) != "!=")
        at++;
      while (text[at - 1] == '.' || (begin < at && signs.find(text[at - 1]) != signs.npos)) { // Base.+
        if (at == text.size() || signs.find(text[at]) == signs.npos) break;
        at++;
      }
    } else {
      kind = Token::Kind::Sign;
      at +=
          at + 1 < text.size() && text[at + 1] == '=' && std::string_view("=!<>").find(text[at]) < 4 ? 2 : 1;
    }
    tokens.push_back({kind, text.substr(begin, at - begin), uint32_t(begin), uint32_t(at), starts_line});
    if (kind == Token::Kind::End) return tokens;
    starts_line = false;
  }
}

struct Operator {
  int precedence;
  bool is_right = false;
  Kind kind = Kind::Call;
};
const std::map<std::string_view, Operator> operators = {{"or", {1, false, Kind::Or}},
                                                        {"and", {2, false, Kind::And}},
                                                        {"==", {3}},
                                                        {"!=", {3}},
                                                        {"<", {3}},
                                                        {"<=", {3}},
                                                        {">", {3}},
                                                        {">=", {3}},
                                                        {"+", {4}},
                                                        {"-", {4}},
                                                        {"*", {5}},
                                                        {"/", {5}},
                                                        {"%", {5}},
                                                        {"^", {7, true}}};
constexpr int of_sign = 6; // -x ^ 2 is -(x ^ 2), -x * y is (-x) * y

class Parser {
public:
  Parser(TypeContext &types, const SourceFile &file)
      : types_(types), file_(file), tokens_(tokens_of(file.text())) {}

  Result<std::vector<Node>> file() {
    std::vector<Node> all;
    while (now().kind != Token::Kind::End) {
      KILN_TRY(Node node, statement());
      all.push_back(std::move(node));
    }
    return all;
  }

private:
  /// Limits the recursion of the parser.
  Result<void> deeper() {
    if (++depth_ <= 500) return {};
    return error("more than 500 expressions or blocks in each other");
  }

  const Token &now() const { return tokens_[next_]; }
  bool is(std::string_view text) const { return now().kind != Token::Kind::End && now().text == text; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    next_++;
    return true;
  }
  Error error(std::string message) const {
    return make_error(ErrorCode::SyntaxError, std::move(message),
                      {file_.shared_from_this(), now().begin, std::max(now().end, now().begin + 1)});
  }
  Result<void> expect(std::string_view text) {
    if (take(text)) return {};
    return error(
        "expected `" + std::string(text) + "`" +
        (now().kind == Token::Kind::End ? " before the end" : " before `" + std::string(now().text) + "`"));
  }
  Result<Symbol> name() {
    if (now().kind != Token::Kind::Name) return error("expected a name");
    return types_.symbol(tokens_[next_++].text);
  }
  Node node(Kind kind, uint32_t begin, std::vector<Node> items = {}, Symbol name = {}) const {
    const uint32_t end = next_ ? tokens_[next_ - 1].end : 0;
    return {.kind = kind, .name = name, .items = std::move(items), .at = {file_.id(), begin, end}};
  }

  Result<Node> statement() {
    const uint32_t begin = now().begin;
    if (is("fn") || is("kernel")) return function();
    if (take("let")) {
      KILN_TRY(Symbol variable, name());
      KILN_CHECK(expect("="));
      KILN_TRY(Node value, expression());
      return node(Kind::Let, begin, {std::move(value)}, variable);
    }
    if (take("while")) {
      KILN_TRY(Node condition, expression());
      KILN_TRY(Node body, block());
      return node(Kind::While, begin, {std::move(condition), std::move(body)});
    }
    if (take("return")) {
      std::vector<Node> value;
      if (!is("}") && !now().starts_line) {
        KILN_TRY(Node only, expression());
        value.push_back(std::move(only));
      }
      return node(Kind::Return, begin, std::move(value));
    }
    KILN_TRY(Node target, expression());
    if (!is("=")) return target;
    if (target.kind != Kind::Name && target.kind != Kind::Index)
      return error("only a variable or an element is assigned");
    next_++;
    KILN_TRY(Node value, expression());
    if (target.kind == Kind::Name) return node(Kind::Assign, begin, {std::move(value)}, target.name);
    target.items.push_back(std::move(value));
    return node(Kind::Store, begin, std::move(target.items));
  }

  Result<Node> block() {
    const uint32_t begin = now().begin;
    KILN_CHECK(expect("{"));
    KILN_CHECK(deeper());
    std::vector<Node> items;
    while (!is("}")) {
      if (now().kind == Token::Kind::End) return error("this block has no `}`");
      KILN_TRY(Node item, statement());
      items.push_back(std::move(item));
    }
    next_++, depth_--;
    return node(Kind::Block, begin, std::move(items));
  }

  /// fn f(x, n: i64) = expression, fn f(x) { ... }, kernel f(y: [f32]) { ... }
  Result<Node> function() {
    const uint32_t begin = now().begin;
    const bool is_kernel = tokens_[next_++].text == "kernel";
    const bool is_operator = operators.contains(now().text) || is("not");
    KILN_TRY(Symbol own, is_operator ? types_.symbol(tokens_[next_++].text) : name());
    KILN_CHECK(expect("("));
    std::vector<Node> items;
    while (!is(")")) {
      const uint32_t at = now().begin;
      KILN_TRY(Symbol parameter, name());
      for (const Node &other : items)
        if (other.name == parameter) return error("two parameters have this name");
      std::string type;
      if (take(":")) {
        const bool is_array = take("[");
        if (now().kind == Token::Kind::Name) type = std::string(tokens_[next_++].text);
        if (is_array) KILN_CHECK(expect("]"));
        if (is_array) type = "[" + type + "]";
        if (type.empty()) return error("expected a type");
      }
      items.push_back(node(Kind::Parameter, at, {}, parameter));
      items.back().type = type;
      if (!take(",")) break;
    }
    KILN_CHECK(expect(")"));
    const bool is_short = take("=");
    KILN_TRY(Node body, is_short ? expression() : block());
    items.push_back(std::move(body));
    Node made = node(Kind::Function, begin, std::move(items), own);
    made.is_kernel = is_kernel;
    return made;
  }

  /// Operators that bind at least as tightly as `least`. An expression ends with its line, unless a
  /// parenthesis is open.
  Result<Node> expression(int least = 0) {
    KILN_CHECK(deeper());
    const uint32_t begin = now().begin;
    KILN_TRY(Node left, operand());
    for (;;) {
      auto found = operators.find(now().text);
      if (found == operators.end() || found->second.precedence < least || (now().starts_line && !open_))
        break;
      const auto [sign, own] = *found;
      next_++;
      KILN_TRY(Node right, expression(own.precedence + !own.is_right));
      left = node(own.kind, begin, {std::move(left), std::move(right)}, types_.symbol(sign));
    }
    depth_--;
    return left;
  }

  Result<Node> operand() {
    const uint32_t begin = now().begin;
    if (is("-") || is("not")) {
      const Symbol sign = types_.symbol(tokens_[next_++].text);
      KILN_TRY(Node of, expression(of_sign));
      return node(Kind::Call, begin, {std::move(of)}, sign);
    }
    if (take("if")) return conditional(begin);
    KILN_TRY(Node value, atom());
    while (is("[") && !now().starts_line) {
      next_++;
      KILN_TRY(auto index, list("]"));
      if (index.size() != 1) return error("an element has one index");
      value = node(Kind::Index, begin, {std::move(value), std::move(index[0])});
    }
    return value;
  }

  /// if c then a else b, or if c { ... } else { ... }
  Result<Node> conditional(uint32_t begin) {
    std::vector<Node> items(1);
    KILN_TRY(items[0], expression());
    const bool is_value = take("then");
    KILN_TRY(Node then, is_value ? expression() : block());
    items.push_back(std::move(then));
    if (is_value) {
      KILN_CHECK(expect("else"));
    }
    if (is_value || take("else")) {
      KILN_TRY(Node otherwise, is_value || is("if") ? expression() : block());
      items.push_back(std::move(otherwise));
    }
    return node(Kind::If, begin, std::move(items));
  }

  /// Parses expressions up to the closing bracket.
  Result<std::vector<Node>> list(std::string_view close) {
    std::vector<Node> items;
    open_++;
    while (!is(close)) {
      KILN_TRY(Node item, expression());
      items.push_back(std::move(item));
      if (!take(",")) break;
    }
    open_--;
    KILN_CHECK(expect(close));
    return items;
  }

  Result<Node> atom() {
    const Token token = now();
    if (token.kind == Token::Kind::Number) return number();
    if (take("(")) {
      KILN_TRY(auto inside, list(")"));
      if (inside.size() != 1) return error("parentheses hold one expression");
      return std::move(inside[0]);
    }
    if (take("[")) {
      KILN_TRY(auto items, list("]"));
      return node(Kind::List, token.begin, std::move(items));
    }
    if (token.kind != Token::Kind::Name || operators.contains(token.text))
      return error("expected an expression");
    next_++;
    if (token.text == "true" || token.text == "false") {
      Node made = node(Kind::Literal, token.begin);
      made.literal = types_.boolean(token.text == "true");
      return made;
    }
    const Symbol own = types_.symbol(token.text);
    if (!is("(") || now().starts_line) return node(Kind::Name, token.begin, {}, own);
    next_++;
    KILN_TRY(auto arguments, list(")"));
    return node(Kind::Call, token.begin, std::move(arguments), own);
  }

  /// Parses a number: 12 is an i64, 1.5 and 1e3 are f64, 1.5f32 and 2f32 are f32.
  Result<Node> number() {
    std::string_view digits = now().text;
    const bool is_single = digits.ends_with("f32");
    if (is_single) digits.remove_suffix(3);
    const bool is_real = is_single || digits.find_first_of(".e") != digits.npos;
    const char *end = digits.data() + digits.size();
    int64_t whole = 0;
    double real = 0;
    float single = 0; // from the text, not from the double: rounded once
    const auto [stop, fault] = is_single ? std::from_chars(digits.data(), end, single)
                               : is_real ? std::from_chars(digits.data(), end, real)
                                         : std::from_chars(digits.data(), end, whole);
    if (stop != end || fault != std::errc())
      return error("`" + std::string(now().text) + "` is no number, or too large");
    const uint32_t begin = tokens_[next_++].begin;
    Node made = node(Kind::Literal, begin);
    made.literal = is_single ? types_.float32(single) : is_real ? types_.float64(real) : types_.int64(whole);
    return made;
  }

  TypeContext &types_;
  const SourceFile &file_;
  std::vector<Token> tokens_;
  size_t next_ = 0;
  int depth_ = 0, open_ = 0;
};

} // namespace

Result<std::vector<Node>> parse(TypeContext &types, const SourceFile &file) {
  return Parser(types, file).file();
}

} // namespace infix
