// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of whole numbers over names, which constraints and launch shapes are written in. They belong to
// no language, so that a search space means the same in all.
#pragma once

#include <support/support.h>

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// How values are given to a parameter: "--param n=1,2,4" after `lead`.
std::string parameter_hint(std::string_view lead, std::string_view name);

/// What names and arguments stand for.
class ExpressionScope {
public:
  virtual ~ExpressionScope() = default;
  /// A name's value. Error: its value is no whole number. Asked for names that parse() accepted alone.
  virtual Result<int64_t> value(std::string_view name) const = 0;
  /// Elements of an argument (counted from 1) along a dimension; 0: all of them; -1: its own value.
  virtual Result<int64_t> size(int64_t argument, int64_t dimension) const = 0;
};

/// One expression, parsed. true is 1.
class Expression {
public:
  /// An empty text is `otherwise`. Errors: Input ("expression error"), with the place in the text: what does
  /// not parse, a name that `is_known` does not know, another number of arguments than a function takes.
  static Result<Expression> parse(std::string_view what, std::string_view text,
                                  const std::function<bool(std::string_view)> &is_known, int64_t otherwise);
  /// Errors: Input ("expression error"): overflow, a division by 0 or with a rest, what the scope refuses.
  Result<int64_t> evaluate(const ExpressionScope &scope) const;
  std::string_view text() const { return file_->text(); }

private:
  friend class ExpressionParser;
  enum class Kind : uint8_t { Number, Name, Unary, Binary, Choice, Call };
  struct Node {
    Kind kind = Kind::Number;
    int64_t number = 0;
    std::string name = {}; ///< of a name, an operator, a function
    std::vector<uint32_t> operands = {};
    uint32_t begin = 0, end = 0;
  };
  Result<int64_t> evaluate(const Node &node, const ExpressionScope &scope) const;
  Result<int64_t> call(const Node &node, const ExpressionScope &scope) const;
  Error fault(const Node &node, std::string message, std::string hint = {}) const;

  std::shared_ptr<const SourceFile> file_;
  std::vector<Node> nodes_;
  uint32_t root_ = 0;
};

/// `text` with the values of $NAME and $(NAME); other dollar signs stay. `used`: is told the names. Error:
/// Input ("space error"), for a name that `find` does not know (null).
Result<std::string> fill_names(std::string_view text,
                               const std::function<const std::string *(std::string_view)> &find);
/// The names that it would ask for.
std::set<std::string, std::less<>> names_in(std::string_view text);

} // namespace kiln
