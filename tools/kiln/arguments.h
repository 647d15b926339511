// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates --arg expressions and encodes their values as a launch's parameter bytes.
#pragma once

#include <kiln/extension/language.h>
#include <kiln/extension/language/launch.h>

namespace kiln::tool {

/// Replaces `@x.npy`, `@x.npy:Name` and `@"a file.npy"` outside of strings by calls of the host function that
/// reads them: __npy("x.npy"), __npy("x.npy", Name). Macro calls remain.
std::string with_npy_calls(std::string_view expression);

/// Evaluates arguments and captured values. Owns their arrays.
/// Checks the expressions of --arg for words that are none. Error: Usage.
Result<void> check_argument_texts(const std::vector<std::string> &expressions);

class Arguments {
public:
  explicit Arguments(Session &session) : session_(session), world_(session.world()) {}
  ~Arguments();
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  Result<void> evaluate(const std::vector<std::string> &expressions);
  /// Evaluates one expression and reads the files in it. `name` appears in messages.
  Result<Value> evaluate(const std::string &name, std::string_view expression);
  /// Parses --capture NAME=EXPR into the frontend's form. Error: Usage, if the name is missing.
  Result<std::vector<Capture>> captures(const std::vector<std::string> &texts);
  std::span<const Value> values() const { return values_; } ///< as evaluated
  /// Types of the adapted arguments as dispatch sees them.
  std::vector<TypeRef> types() const;
  /// The function's type, followed by types().
  std::vector<TypeRef> types_with(const Value &function) const;
  /// Encodes the function (closures have bytes) and all arguments that have bytes, in order.
  Result<ParameterBytes> encode(const Value &function) const;
  /// The first array in argument n (1-based), even inside a Const or a tuple. Error: Usage.
  Result<std::shared_ptr<HostArray>> array(size_t n) const;
  /// All arrays reachable from the arguments, without duplicates.
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
  std::vector<std::shared_ptr<HostArray>> shared_; ///< arrays that structs point to
};

} // namespace kiln::tool
