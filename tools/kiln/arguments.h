// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --arg expressions as values, and values as the bytes of a launch.
#pragma once

#include <kiln/extension/language.h>
#include <kiln/extension/language/launch.h>

namespace kiln::tool {

/// `@x.npy`, `@x.npy:Name` and `@"a file.npy"` in an expression, outside of strings, as calls of the host
/// function that reads them: __npy("x.npy"), __npy("x.npy", Name). Macro calls stay.
std::string with_npy_calls(std::string_view expression);

/// Evaluates arguments and captured values, and keeps their arrays alive and findable.
class Arguments {
public:
  explicit Arguments(Session &session) : session_(session), world_(session.world()) {}
  ~Arguments();
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  Result<void> evaluate(const std::vector<std::string> &expressions);
  /// One expression, `name` in messages; files in it are read.
  Result<Value> evaluate(const std::string &name, std::string_view expression);
  /// --capture NAME=EXPR: names and values as the frontend takes them. Error: Usage for one without a name.
  Result<std::vector<Capture>> captures(const std::vector<std::string> &texts);
  std::span<const Value> values() const { return values_; } ///< as evaluated
  /// Types of the adapted arguments as dispatch sees them.
  std::vector<TypeRef> types() const;
  /// The function's type, then those.
  std::vector<TypeRef> types_with(const Value &function) const;
  /// The bytes of the function (a closure has some) and of all arguments that have any, in order.
  Result<ParameterBytes> encode(const Value &function) const;
  /// The first array in argument n (1-based), also inside a Const or a tuple. Error: Usage.
  Result<std::shared_ptr<HostArray>> array(size_t n) const;
  /// Every array that the arguments lead to, once.
  std::vector<std::shared_ptr<HostArray>> arrays() const;

private:
  Result<void> start();
  std::shared_ptr<HostArray> find_array(const Value &value) const;
  static void collect_arrays(const Value &value, std::vector<std::shared_ptr<HostArray>> &into);
  Session &session_;
  World &world_;
  bool started_ = false;
  std::vector<Value> values_;                      ///< as evaluated
  std::vector<Value> adapted_;                     ///< as a kernel sees them
  std::vector<Value> captured_;                    ///< as evaluated
  std::vector<std::shared_ptr<HostArray>> shared_; ///< arrays that a struct holds a pointer to
};

} // namespace kiln::tool
