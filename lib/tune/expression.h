// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions over names, for constraints and launch shapes. They are independent of source
// languages, so that a search space has the same meaning in each.
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

/// Hint how to give values to a parameter: `lead`, then "--param n=1,2,4".
std::string parameter_hint(std::string_view lead, std::string_view name);

/// Values of names and arguments.
class ExpressionScope {
public:
  virtual ~ExpressionScope() = default;
  /// Value of a name that Expression::parse() accepted. Error: the value is no integer.
  virtual Result<int64_t> value(std::string_view name) const = 0;
  /// Extent of an argument (counted from 1) along a dimension; dimension 0: number of elements; -1: the
  /// argument's own value.
  virtual Result<int64_t> size(int64_t argument, int64_t dimension) const = 0;
};

/// A parsed expression. Boolean true has the value 1.
class Expression {
public:
  /// Parses an expression. An empty text means the constant `otherwise`. Errors: Input ("expression error"),
  /// with the place in the text: wrong syntax, a name that `is_known` rejects, a wrong number of arguments.
  static Result<Expression> parse(std::string_view what, std::string_view text,
                                  const std::function<bool(std::string_view)> &is_known, int64_t otherwise);
  /// Computes the value. Errors: Input ("expression error"): overflow; division by 0 or with a remainder;
  /// errors of the scope.
  Result<int64_t> evaluate(const ExpressionScope &scope) const;
  std::string_view text() const { return file_->text(); }

private:
  friend class ExpressionParser;
  enum class Kind : uint8_t { Number, Name, Unary, Binary, Choice, Call };
  struct Node {
    Kind kind = Kind::Number;
    int64_t number = 0;
    std::string name = {}; ///< name of a name, operator or function; empty for numbers
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
/// error") for a name for which `find` returns null.
Result<std::string> fill_names(std::string_view text,
                               const std::function<const std::string *(std::string_view)> &find);
/// Finds the names in a text that fill_names() would replace.
std::set<std::string, std::less<>> names_in(std::string_view text);

} // namespace kiln
