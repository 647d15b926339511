// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <lowered/lowered.h>

#include <shared_mutex>

namespace kiln {

using WorldAge = uint64_t;
inline constexpr WorldAge EndOfTime = ~WorldAge(0);

/// A name in a module. Constants keep every value they had, with the worlds it held in.
struct Binding {
  struct Version {
    Value value; ///< unset where `deferred` is set and not yet evaluated
    WorldAge begin = 0, end = EndOfTime;
    bool is_const = true;
    /// A top-level `x = expr` or `const x = expr` whose evaluation waits until something needs it.
    std::function<Result<Value>()> deferred;
  };
  const Module *owner = nullptr; ///< the module whose binding this is (another one, if imported)
  Symbol name;
  std::vector<Version> versions;
};

/// Modules live as long as their World. Look-up goes: own names, explicit imports, exports of used modules,
/// and for every module but Core and Base's own, Base.
class Module {
public:
  Module(Symbol name, const Module *parent) : name_(name), parent_(parent) {}
  Symbol name() const { return name_; }
  const Module *parent() const { return parent_; }
  std::string full_name() const; ///< "Main.Inner"; "Base", "Core", "CUDA" stand alone

private:
  friend class World;
  Symbol name_;
  const Module *parent_;
  std::unordered_map<Symbol, std::shared_ptr<Binding>> bindings_; // imported ones are shared
  std::vector<const Module *> usings_;
  std::vector<Symbol> exports_;
};

} // namespace kiln
