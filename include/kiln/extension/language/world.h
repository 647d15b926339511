// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class World: all definitions of a session (modules, names, functions), for languages and embedders.
// define.h has functions that add methods and types.
#pragma once

#include <kiln/extension/language/code.h>
#include <kiln/extension/language/intrinsics.h>
#include <kiln/extension/language/source.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// World age: a counter that each definition increases. A job is compiled with the definitions of the age at
/// which it was requested.
using WorldAge = uint64_t;

/// A method of a function; opaque. signature_of (define.h) returns its signature.
class Method;

/// Options of World::module.
struct ModuleOptions {
  /// The module sees all names of Base. False: only Core, its own names, and names that it imports or uses.
  bool uses_base = true;
};

/// All definitions of a session. Thread-safe: a lock serialises definitions, and look-ups share it. For a
/// null type, empty name or empty value, functions with a Result return Usage; other functions find nothing.
class KILN_API World {
public:
  World(const World &) = delete;
  World &operator=(const World &) = delete;
  TypeContext &types() { return types_; }
  SourceMap &sources() { return sources_; }

  /// Order: each definition stores its age with release after it is complete. A thread that reads this age
  /// therefore sees the definition, also where it takes no lock afterwards.
  WorldAge age() const { return age_.load(std::memory_order_acquire); }

  // ---- modules and bindings
  Module *core() { return core_; }
  Module *base() { return base_; }
  Module *main() { return main_; }
  /// Returns a submodule of `parent` (null: a root module); makes it if it does not exist. An existing module
  /// keeps its options. Returns null if the name is empty.
  Module *module(Symbol name, Module *parent, const ModuleOptions &options = {});
  Module *find_root_module(Symbol name); ///< null if there is no root module of that name
  /// `full_name` like "Main.Inner"; null if there is no such module.
  const Module *find_module(std::string_view full_name) const;
  /// Binds a name to a value. A new value for a bound name holds from the next world age on. Error: Input
  /// (the name was imported from another module).
  Result<void> set_constant(Module &module, Symbol name, Value value, Span at);
  /// Binds a name to a value that `evaluate` computes when the name is first read. Error: that of
  /// set_constant.
  Result<void> set_deferred(Module &module, Symbol name, bool is_const,
                            std::function<Result<Value>()> evaluate);
  /// Assigns a value to a global variable. If no compiled code depends on the variable, it is overwritten in
  /// place and the world age does not change. Errors: Input (the name is a constant, function or type, or was
  /// imported).
  Result<void> set_variable(Module &module, Symbol name, Value value, Span at);
  /// Imports `name` of module `from` under the name `as`. Errors: Input (`name` is not defined in `from`;
  /// `as` is already bound to something else).
  Result<void> import_name(Module &into, const Module &from, Symbol name, Symbol as);
  void use_module(Module &into, const Module &used);
  void export_name(Module &module, Symbol name);
  /// Returns the value of a name that is visible in `module` at world age `world`; no value: undefined.
  /// Evaluates a deferred value. Errors: those of that evaluation; Input if two used modules export the name.
  Result<std::optional<Value>> lookup(const Module &module, Symbol name, WorldAge world);
  bool is_defined(const Module &module, Symbol name);
  std::vector<Symbol> names(const Module &module) const; ///< the module's own names, sorted by text
  /// Returns names visible in `module` that are similar to `name` (edit distance), for "did you mean".
  std::vector<std::string> similar_names(const Module &module, Symbol name);
  /// Returns a hint for a `name` that is not defined in `module`. May be empty.
  std::string undefined_hint(const Module &module, Symbol name);

  // ---- functions and intrinsics
  /// Returns the generic function `name` of `module`; makes it if it does not exist. Error: the name is bound
  /// to something else.
  Result<Value> function(Module &module, Symbol name, Span at);
  size_t method_count() const; ///< number of methods defined so far, without postponed ones
  /// Returns the intrinsic whose function type this is; no value for another type.
  std::optional<Intrinsic> intrinsic(TypeRef function_type) const;
  Value intrinsic_value(Intrinsic intrinsic) const;

private:
  friend class CompilerWorld; ///< the implementation, for Kiln's own components
  World(TypeContext &types, SourceMap &sources);
  ~World();
  TypeContext &types_;
  SourceMap &sources_;
  std::atomic<WorldAge> age_{1};
  Module *core_ = nullptr, *base_ = nullptr, *main_ = nullptr;
  struct KILN_LOCAL State;
  std::unique_ptr<State> state_;
};

} // namespace kiln
