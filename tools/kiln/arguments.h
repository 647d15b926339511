// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates --arg expressions and encodes their values as a launch's parameter bytes.
#pragma once

#include <kiln/extension/language.h>
#include <kiln/extension/language/launch.h>

namespace kiln::tool {

/// Replaces file references in an expression by calls of the host function __npy, which reads NumPy files:
/// `@x.npy` becomes __npy("x.npy"), and `@x.npy:Name` becomes __npy("x.npy", Name). Paths with spaces are
/// written `@"a file.npy"`. String literals and macro calls stay unchanged.
std::string with_npy_calls(std::string_view expression);

/// Formats text as a string literal of Julia, with quotes and escapes.
std::string literal_of(std::string_view text);

/// Rejects texts of --arg that are no expressions, such as an option or a file name without `@`. Error:
/// Usage.
Result<void> check_argument_texts(const std::vector<std::string> &expressions);

/// Evaluates the expressions of --arg and --capture, and owns their values and arrays.
class Arguments {
public:
  explicit Arguments(Session &session) : session_(session), world_(session.world()) {}
  ~Arguments();
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  Result<void> evaluate(const std::vector<std::string> &expressions);
  /// Evaluates one expression, and reads the NumPy files that it names. Messages call the expression `name`.
  Result<Value> evaluate(const std::string &name, std::string_view expression);
  /// Evaluates the texts NAME=EXPR of --capture: values of variables that a kernel captures. Error: Usage, if
  /// a name or expression is missing.
  Result<std::vector<Capture>> captures(const std::vector<std::string> &texts);
  std::span<const Value> values() const { return values_; } ///< values of --arg on the host
  /// Types of the arguments after their conversion for kernels (an Array becomes a CuDeviceArray).
  std::vector<TypeRef> types() const;
  /// Types of the arguments for kernels, with the type of `function` in front.
  std::vector<TypeRef> types_with(const Value &function) const;
  /// Encodes the kernel's parameters as bytes: first the function, if it is a closure with data, then the
  /// arguments in order. Values of size 0 are left out.
  Result<ParameterBytes> encode(const Value &function) const;
  /// Returns the first array in argument `n` (1-based), also inside a Const or a tuple. Error: Usage, if the
  /// argument contains no array.
  Result<std::shared_ptr<HostArray>> array(size_t n) const;
  /// Returns each array that an argument or captured value contains or refers to, once.
  std::vector<std::shared_ptr<HostArray>> arrays() const;

private:
  Result<void> start();
  std::shared_ptr<HostArray> find_array(const Value &value) const;
  static void collect_arrays(const Value &value, std::vector<std::shared_ptr<HostArray>> &into);
  Session &session_;
  World &world_;
  bool started_ = false;
  std::vector<Value> values_;                      ///< values of --arg on the host
  std::vector<Value> adapted_;                     ///< `values_`, converted for kernels
  std::vector<Value> captured_;                    ///< values of --capture on the host
  std::vector<std::shared_ptr<HostArray>> shared_; ///< arrays that structs point to
};

} // namespace kiln::tool
