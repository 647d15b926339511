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

/// A top-level value that is computed on first read, once. A failure is kept until the world grows, because a
/// later definition may remove its reason.
struct DeferredValue {
  std::function<Result<Value>()> evaluate;
  std::atomic<bool> ready{false}; ///< `value` is set and never changes again
  bool evaluating = false;        ///< to find values defined in terms of themselves
  std::optional<Value> value;
  std::optional<Error> error;
  WorldAge failed_at = 0;
};

/// A name in a module. Keeps every value it had, with the worlds it held in.
struct KILN_API Binding {
  struct Version {
    Value value; ///< unset where `deferred` is set
    WorldAge begin = 0, end = EndOfTime;
    bool is_const = true;
    /// A top-level `x = expr` or `const x = expr` whose evaluation waits until something needs it.
    std::shared_ptr<DeferredValue> deferred;
  };
  const Module *owner = nullptr; ///< the module whose binding this is (another one, if imported)
  Symbol name;
  std::vector<Version> versions;
  const Version *at(WorldAge world) const; ///< null: undefined then
};

/// Bindings of a module, each with the world in which it begins. Look-up order: own names and explicit
/// imports, exports of used modules, all names of Base (if `uses_base`), and Core.
struct ModuleContents {
  std::unordered_map<Symbol, std::shared_ptr<Binding>> bindings; ///< imported ones are shared
  struct Using {
    const Module *module = nullptr;
    WorldAge begin = 0;
  };
  std::vector<Using> usings;
  bool uses_base = true; ///< ModuleOptions::uses_base; of Core and Base false
  std::unordered_map<Symbol, WorldAge> exports;
  std::unordered_map<Symbol, WorldAge> imported; ///< of `bindings`, those of other modules
  bool exports_at(Symbol export_name, WorldAge world) const {
    auto found = exports.find(export_name);
    return found != exports.end() && found->second <= world;
  }
};

} // namespace kiln
