// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a tuning request as values. For each candidate: its call and its launch bytes.
#pragma once

#include "arrays.h"
#include "space.h"

#include <kiln/extension/language/tune.h>

namespace kiln {

/// A call of a candidate or reference: function and arguments, as a kernel sees them.
struct TunedCall {
  Value function;
  std::vector<TypeRef> types; ///< of the arguments
  /// Bytes of the function and of the arguments that have bytes, with the caller's addresses.
  std::vector<std::pair<TypeRef, std::vector<std::byte>>> bytes;
};

/// Launch bytes, with pointers to this object's own memory.
struct LaunchBytes {
  ParameterBytes bytes;
  std::vector<const void *> pointers;
};

/// Arguments of a request. Not thread-safe.
class TunedArguments {
public:
  TunedArguments(Session &session, TunedArrays &arrays, const TuneRequest &request, ArgumentSource source)
      : session_(session), types_(session.world().types()), arrays_(arrays), request_(request),
        source_(std::move(source)) {}
  /// Evaluates the arguments that name no parameter, and copies their arrays. Errors: those of the
  /// expressions; Machine.
  Result<void> open();
  /// Call of a candidate. Errors: those of its own expressions.
  Result<TunedCall> call(const SpacePlan &space, const PointValues &values);
  /// Call of `function` on the arguments that name no parameter.
  Result<TunedCall> reference(const std::string &function);
  /// Like ExpressionScope::size; dimension -1: the argument's own value.
  Result<int64_t> size(int64_t argument, int64_t dimension) const;
  /// Key of the fixed arguments: types, with array extents and integers rounded up to powers of two.
  std::string shape_class() const;
  /// Launch bytes, with pointers into the working copies, or into `copies` (TunedArrays::originals).
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
  std::vector<std::optional<Item>> fixed_; ///< by argument; none: it names a parameter
  std::map<std::pair<size_t, std::string>, Item> by_text_;
  std::map<std::string, Value, std::less<>> functions_;
};

} // namespace kiln
