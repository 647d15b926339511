// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader.h"

#include <cctype>
#include <charconv>
#include <cstring>

namespace lisp {

using namespace kiln;

Error fault(SourceMap &sources, const Node &at, ErrorCode code, std::string message, std::string hint) {
  return make_error(code, std::move(message), sources.locate(at.at), std::move(hint));
}

namespace {

class Reader {
public:
  Reader(TypeContext &types, const SourceFile &file) : types_(types), file_(file), text_(file.text()) {}

  Result<std::vector<Node>> all() {
    std::vector<Node> forms;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      KILN_TRY(Node node, form(0));
      forms.push_back(std::move(node));
    }
    return forms;
  }

private:
  static constexpr int max_depth = 500; // of nested lists, which recurse

  void skip_blanks() {
    while (at_ < text_.size() && (std::isspace(uint8_t(text_[at_])) || text_[at_] == ';'))
      at_ = text_[at_] == ';' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
  }

  Error syntax_error(size_t begin, std::string message) {
    return make_error(ErrorCode::SyntaxError, std::move(message),
                      {file_.shared_from_this(), uint32_t(begin), uint32_t(std::max(at_, begin + 1))});
  }

  Node literal(size_t begin, Value value) {
    Node node{Node::Kind::Literal, {}, std::move(value), {}, {}};
    node.at = {file_.id(), uint32_t(begin), uint32_t(at_)};
    return node;
  }

  Result<Node> form(int depth) {
    const size_t begin = at_;
    const char c = text_[at_];
    if (c == '"') return string();
    if (c == ')') return ++at_, syntax_error(begin, "a closing parenthesis that nothing opened");
    if (c != '(') return atom();
    if (depth == max_depth) return syntax_error(begin, "more than 500 lists in each other");
    Node list;
    at_++;
    for (skip_blanks(); at_ < text_.size() && text_[at_] != ')'; skip_blanks()) {
      KILN_TRY(Node item, form(depth + 1));
      list.items.push_back(std::move(item));
    }
    if (at_ == text_.size()) return at_ = begin + 1, syntax_error(begin, "this list has no end");
    list.at = {file_.id(), uint32_t(begin), uint32_t(++at_)};
    return list;
  }

  Result<Node> string() {
    const size_t begin = at_++;
    std::string value;
    for (; at_ < text_.size() && text_[at_] != '"'; at_++) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) at_++;
      value += text_[at_ - 1] == '\\' && text_[at_] == 'n' ? '\n' : text_[at_];
    }
    if (at_ == text_.size()) return at_ = begin + 1, syntax_error(begin, "this string has no end");
    at_++;
    return literal(begin, Value::string(types_, value));
  }

  Result<Node> atom() {
    const size_t begin = at_;
    const bool is_quoted = text_[at_] == '\'';
    while (at_ < text_.size() && !std::isspace(uint8_t(text_[at_])) && !std::strchr("();\"", text_[at_]))
      at_++;
    const std::string_view text = text_.substr(begin + is_quoted, at_ - begin - is_quoted);
    if (text.empty()) return ++at_, syntax_error(begin, "a quote in front of nothing");
    if (is_quoted) return literal(begin, Value::symbol(types_, types_.symbol(text)));
    if (text == "true" || text == "false") return literal(begin, types_.boolean(text == "true"));
    if (text == "nothing") return literal(begin, types_.nothing());
    const bool is_signed = text.size() > 1 && (text[0] == '-' || text[0] == '+');
    if (std::isdigit(uint8_t(text[is_signed]))) return number(begin, text);
    Node node{Node::Kind::Name, types_.symbol(text), {}, {}, {}};
    node.at = {file_.id(), uint32_t(begin), uint32_t(at_)};
    return node;
  }

  /// Reads a number: 12 and 1.5 have 64 bits; suffixes change that: 12i (i32), 12u (u32), 1.5f and 2f (f32).
  Result<Node> number(size_t begin, std::string_view text) {
    std::string_view digits = text.substr(text[0] == '+');
    const char suffix = std::strchr("iuf", digits.back()) ? digits.back() : ' ';
    if (suffix != ' ') digits.remove_suffix(1);
    const char *end = digits.data() + digits.size();
    const bool is_float = suffix == 'f' || digits.find_first_of(".e") != digits.npos;
    int64_t integer = 0;
    double real = 0;
    const auto [stop, error] =
        is_float ? std::from_chars(digits.data(), end, real) : std::from_chars(digits.data(), end, integer);
    const bool fits = suffix == 'i'   ? integer == int32_t(integer)
                      : suffix == 'u' ? integer == int64_t(uint32_t(integer))
                                      : true;
    if (stop != end || error != std::errc() || !fits || (is_float && (suffix == 'i' || suffix == 'u')))
      return syntax_error(begin, "`" + std::string(text) + "` is no number, or too large for its type");
    const auto &t = types_.builtins();
    if (suffix == 'u') return literal(begin, Value::primitive(t.UInt32, {uint64_t(integer), 0}));
    if (suffix == 'i') return literal(begin, types_.int32(integer));
    if (suffix == 'f') {
      float single = 0; // from the text, not from the double: rounded once
      std::from_chars(digits.data(), end, single);
      return literal(begin, types_.float32(single));
    }
    return literal(begin, is_float ? types_.float64(real) : types_.int64(integer));
  }

  TypeContext &types_;
  const SourceFile &file_;
  std::string_view text_;
  size_t at_ = 0;
};

} // namespace

Result<std::vector<Node>> read(TypeContext &types, const SourceFile &file) {
  return Reader(types, file).all();
}

} // namespace lisp
