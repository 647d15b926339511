// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions over names, for constraints and launch shapes. They are independent of languages, so
// that a search space means the same in all of them.
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

/// Hint how to give values to a parameter: "--param n=1,2,4" after `lead`.
std::string parameter_hint(std::string_view lead, std::string_view name);

/// Values of names and arguments.
class ExpressionScope {
public:
  virtual ~ExpressionScope() = default;
  /// Value of a name that parse() accepted. Error: not an integer.
  virtual Result<int64_t> value(std::string_view name) const = 0;
  /// Elements of an argument (counted from 1) along a dimension; 0: all of them; -1: its own value.
  virtual Result<int64_t> size(int64_t argument, int64_t dimension) const = 0;
};

/// A parsed expression. true is 1.
class Expression {
public:
  /// Parses an expression; an empty text is `otherwise`. Errors: Input ("expression error"), with the place
  /// in the text: syntax, a name that `is_known` rejects, a wrong number of arguments.
  static Result<Expression> parse(std::string_view what, std::string_view text,
                                  const std::function<bool(std::string_view)> &is_known, int64_t otherwise);
  /// Errors: Input ("expression error"): overflow, division by 0 or with a remainder, errors of the scope.
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

/// Replaces $NAME and $(NAME) in `text` by their values; other dollar signs stay. Error: Input ("space
/// error") for a name that `find` does not know (null).
Result<std::string> fill_names(std::string_view text,
                               const std::function<const std::string *(std::string_view)> &find);
/// Names that fill_names would look up.
std::set<std::string, std::less<>> names_in(std::string_view text);

} // namespace kiln
