// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request's arguments as values, for each candidate: what a call of it is, and the bytes of its launch.
#pragma once

#include "arrays.h"
#include "space.h"

#include <kiln/extension/language/tune.h>

namespace kiln {

/// A call of a candidate or reference: function and arguments, as a kernel sees them.
struct TunedCall {
  Value function;
  std::vector<TypeRef> types; ///< of the arguments
  /// Of the function and the arguments that have bytes, with the caller's addresses.
  std::vector<std::pair<TypeRef, std::vector<std::byte>>> bytes;
};

/// The bytes that a launch takes, with addresses of its own.
struct LaunchBytes {
  ParameterBytes bytes;
  std::vector<const void *> pointers;
};

/// One thread at a time.
class TunedArguments {
public:
  TunedArguments(Session &session, TunedArrays &arrays, const TuneRequest &request, ArgumentSource source)
      : session_(session), types_(session.world().types()), arrays_(arrays), request_(request),
        source_(std::move(source)) {}
  /// Evaluates the arguments that name no parameter, and copies their arrays. Errors: the expressions';
  /// Machine.
  Result<void> open();
  /// A candidate's. Errors: its own expressions'.
  Result<TunedCall> call(const SpacePlan &space, const PointValues &values);
  /// Of `function` on the arguments that name no parameter.
  Result<TunedCall> reference(const std::string &function);
  /// As ExpressionScope::size, and for dimension -1 the argument's own value.
  Result<int64_t> size(int64_t argument, int64_t dimension) const;
  /// Of the fixed arguments: their types, their arrays' extents and whole numbers, rounded up to powers of
  /// two.
  std::string shape_class() const;
  /// The bytes of a launch, with pointers into the working copies, or into `copies` (TunedArrays::originals).
  Result<LaunchBytes> launch_bytes(const TunedCall &call, const Artifact &artifact,
                                   const std::vector<std::vector<std::byte>> *copies = nullptr) const;

private:
  struct Item {
    Value value; ///< as evaluated, whose arrays it keeps
    TypeRef type = nullptr;
    std::vector<std::byte> bytes;
    std::optional<int64_t> number; ///< of a whole number
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
  std::vector<std::optional<Item>> fixed_; ///< by argument; nothing: it names a parameter
  std::map<std::pair<size_t, std::string>, Item> by_text_;
  std::map<std::string, Value, std::less<>> functions_;
};

} // namespace kiln
