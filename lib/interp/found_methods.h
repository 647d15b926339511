// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache of the interpreter's method look-ups, by the argument types of the call. A hit makes no tuple type
// and takes no lock of the World.
#pragma once

#include <world/world.h>

#include <array>
#include <span>
#include <unordered_map>

namespace kiln {

/// Method look-ups of one world age. An entry of another world age clears the cache. Used only by the
/// interpreting thread.
class FoundMethods {
public:
  /// Types of a call's function and arguments, the function's type first.
  struct Call {
    static constexpr size_t max_types = 8;
    std::array<TypeRef, max_types> types{};
    size_t count = 0;
    bool operator==(const Call &) const = default;
  };
  /// Makes the key of a call. None: the call has too many arguments for the cache.
  static std::optional<Call> call(TypeContext &types, const Value &function, std::span<const Value> args) {
    if (args.size() >= Call::max_types) return std::nullopt;
    Call call;
    call.types[call.count++] = types.type_of(function);
    for (const Value &arg : args) call.types[call.count++] = types.type_of(arg);
    return call;
  }
  const MethodMatch *find(const Call &call, WorldAge world) {
    if (world != world_) return nullptr;
    auto found = by_types_.find(call);
    return found == by_types_.end() ? nullptr : &found->second;
  }
  void keep(const Call &call, WorldAge world, const MethodMatch &match) {
    if (world != world_ || by_types_.size() >= max_calls) by_types_.clear();
    world_ = world;
    by_types_.emplace(call, match);
  }
  void clear() { by_types_.clear(); }

private:
  static constexpr size_t max_calls = 8192;
  struct Hash {
    size_t operator()(const Call &call) const {
      size_t hash = call.count;
      for (size_t i = 0; i < call.count; i++)
        hash = (hash ^ (reinterpret_cast<uintptr_t>(call.types[i]) >> 4)) * 0x9e3779b97f4a7c15u;
      return hash ^ (hash >> 29);
    }
  };
  WorldAge world_ = 0;
  std::unordered_map<Call, MethodMatch, Hash> by_types_;
};

} // namespace kiln
