// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/code.h>
#include <kiln/extension/language/world.h>

#include <atomic>
#include <functional>
#include <optional>
#include <unordered_map>

namespace kiln {

inline constexpr WorldAge FirstWorld = 1, EndOfTime = ~WorldAge(0);

/// A top-level value that is evaluated once, when it is first read. A failure is kept until the world age
/// changes, since a later definition may supply a missing name.
struct DeferredValue {
  std::function<Result<Value>()> evaluate;
  std::atomic<bool> ready{false}; ///< `value` is set and does not change any more
  bool evaluating = false;        ///< detects values that are defined in terms of themselves
  std::optional<Value> value;
  std::optional<Error> error;
  WorldAge failed_at = 0;
};

/// A name in a module. Keeps all its values, each with the range of world ages in which it holds.
struct KILN_API Binding {
  struct Version {
    Value value; ///< unset where `deferred` is set
    WorldAge begin = 0, end = EndOfTime;
    bool is_const = true;
    bool of_machine = false; ///< differs between machines: set_machine_value()
    /// A top-level `x = expr` or `const x = expr` that is evaluated on first use. Null: `value` is set.
    std::shared_ptr<DeferredValue> deferred;
  };
  const Module *owner = nullptr; ///< module that defines the name; for an imported name another module
  Symbol name;
  std::vector<Version> versions;
  const Version *at(WorldAge world) const; ///< the value's version at this world age; null: undefined
};

/// Names of a module, each with its first world age. Look-up order: own names and explicit imports, exports
/// of used modules, all names of Base (if `uses_base`), Core.
struct ModuleContents {
  std::unordered_map<Symbol, std::shared_ptr<Binding>> bindings; ///< imported ones are shared
  struct Using {
    const Module *module = nullptr;
    WorldAge begin = 0;
  };
  std::vector<Using> usings;
  bool uses_base = true; ///< ModuleOptions::uses_base; false for Core and Base
  std::unordered_map<Symbol, WorldAge> exports;
  /// Names in `bindings` that are imported, with their first world age.
  std::unordered_map<Symbol, WorldAge> imported;
  bool exports_at(Symbol export_name, WorldAge world) const {
    auto found = exports.find(export_name);
    return found != exports.end() && found->second <= world;
  }
};

} // namespace kiln
