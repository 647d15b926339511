// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the arguments of a tuning request. Makes the call and the launch bytes of each candidate.
#pragma once

#include "arrays.h"
#include "space.h"

#include <kiln/extension/language/tune.h>

namespace kiln {

/// A call of a candidate or of the reference: the function and the types of its arguments, as a kernel sees
/// them.
struct TunedCall {
  Value function;
  std::vector<TypeRef> types; ///< of the arguments
  /// Types and bytes of the function and of all arguments that are passed as bytes. Pointers in them are the
  /// caller's addresses.
  std::vector<std::pair<TypeRef, std::vector<std::byte>>> bytes;
};

/// Argument bytes of a launch. `pointers` point into `bytes`.
struct LaunchBytes {
  ParameterBytes bytes;
  std::vector<const void *> pointers;
};

/// Arguments of a tuning request. Not thread-safe.
class TunedArguments {
public:
  TunedArguments(Session &session, TunedArrays &arrays, const TuneRequest &request, ArgumentSource source)
      : session_(session), types_(session.world().types()), arrays_(arrays), request_(request),
        source_(std::move(source)) {}
  /// Evaluates the arguments that do not depend on a tuning parameter, and copies their arrays. Errors: those
  /// of the expressions; Machine.
  Result<void> open();
  /// Makes the call of the candidate with these parameter values. Errors: those of the expressions that
  /// depend on parameters.
  Result<TunedCall> call(const SpacePlan &space, const PointValues &values);
  /// Makes a call of `function` with the arguments that do not depend on a tuning parameter.
  Result<TunedCall> reference(const std::string &function);
  /// Implements ExpressionScope::size: the extent of an argument along a dimension; for dimension -1, the
  /// argument's own value.
  Result<int64_t> size(int64_t argument, int64_t dimension) const;
  /// Class of the fixed arguments, for the record's key: their types, with array extents and integers rounded
  /// up to powers of two.
  std::string shape_class() const;
  /// Makes the argument bytes of a launch. Their pointers lead into the working copies, or into `copies`, as
  /// TunedArrays::originals returns them.
  Result<LaunchBytes> launch_bytes(const TunedCall &call, const Artifact &artifact,
                                   const std::vector<std::vector<std::byte>> *copies = nullptr) const;

private:
  struct Item {
    Value value; ///< evaluated value; owns its arrays
    TypeRef type = nullptr;
    std::vector<std::byte> bytes;
    std::optional<int64_t> number; ///< of an integer
  };
  Result<Item> item_of(size_t argument, const std::string &text);
  Result<Item> item_of_value(const Value &value);
  Result<Item> item_of(size_t argument, const Argument &given);
  void add_array(const std::vector<size_t> &arguments, const std::shared_ptr<HostArray> &host);
  void add_arrays(const std::vector<size_t> &arguments, const Value &value);
  Result<Value> function(const std::string &text);
  void append(TunedCall &call, const Item &item) const;

  Session &session_;
  TypeContext &types_;
  TunedArrays &arrays_;
  const TuneRequest &request_;
  const ArgumentSource source_;
  /// By argument; no value: the argument depends on a tuning parameter.
  std::vector<std::optional<Item>> fixed_;
  std::map<std::pair<size_t, std::string>, Item> by_text_;
  std::map<std::string, Value, std::less<>> functions_;
};

} // namespace kiln
