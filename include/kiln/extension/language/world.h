// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions of a session, as a language and its embedder see them: modules, names and functions.
// define.h has the calls that add methods and types.
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

/// Each definition begins a new world. A job is compiled in the world of its request.
using WorldAge = uint64_t;

/// A method of a function; opaque. signature_of (define.h) returns its signature.
class Method;

/// Options of World::module.
struct ModuleOptions {
  /// The module sees all names of Base. False: it sees Core, its own names, and what it imports or uses.
  bool uses_base = true;
};

/// All definitions of a session. Thread-safe: a lock serialises definitions, and look-ups share it. Null
/// types, empty names and no values are refused (Usage) where there is a Result; elsewhere nothing is found.
class KILN_API World {
public:
  World(const World &) = delete;
  World &operator=(const World &) = delete;
  TypeContext &types() { return types_; }
  SourceMap &sources() { return sources_; }

  WorldAge age() const { return age_.load(std::memory_order_acquire); }

  // ---- modules and bindings
  Module *core() { return core_; }
  Module *base() { return base_; }
  Module *main() { return main_; }
  /// Finds or makes a submodule; parent null: a root module. A module that exists keeps its options. Null:
  /// the name is empty.
  Module *module(Symbol name, Module *parent, const ModuleOptions &options = {});
  Module *find_root_module(Symbol name);                       ///< null if there is none of that name
  const Module *find_module(std::string_view full_name) const; ///< "Main.Inner"; null if there is none
  /// Binds a name; a new value for a bound one holds from the next world on. Error: Input (the name was
  /// imported from another module).
  Result<void> set_constant(Module &module, Symbol name, Value value, Span at);
  /// A top-level assignment whose right side is evaluated when it is first read. Error as set_constant's.
  Result<void> set_deferred(Module &module, Symbol name, bool is_const,
                            std::function<Result<Value>()> evaluate);
  /// A top-level assignment whose value is known. A variable that nothing was compiled against is overwritten
  /// in place: the world's age stays. Errors: Input (a constant, a function, a type; imported).
  Result<void> set_variable(Module &module, Symbol name, Value value, Span at);
  /// `import from: name as as`. Errors: Input (not defined there; `as` names something else here already).
  Result<void> import_name(Module &into, const Module &from, Symbol name, Symbol as);
  void use_module(Module &into, const Module &used);
  void export_name(Module &module, Symbol name);
  /// The value of a name as seen from `module` at `world`; no value: undefined. Evaluates a deferred one.
  /// Errors: that evaluation's; Input where two used modules export the name.
  Result<std::optional<Value>> lookup(const Module &module, Symbol name, WorldAge world);
  bool is_defined(const Module &module, Symbol name);
  std::vector<Symbol> names(const Module &module) const; ///< its own, sorted by text
  /// Names visible from `module` that are near `name` (edit distance), for "did you mean".
  std::vector<std::string> similar_names(const Module &module, Symbol name);
  /// Hint for a `name` that is not defined in `module`. May be empty.
  std::string undefined_hint(const Module &module, Symbol name);

  // ---- functions and intrinsics
  /// The generic function `name` of `module`, made if there is none. Error: the name is bound to something
  /// else.
  Result<Value> function(Module &module, Symbol name, Span at);
  size_t method_count() const; ///< number of methods defined so far, without postponed ones
  /// The intrinsic of a singleton function type, if any.
  std::optional<Intrinsic> intrinsic(TypeRef function_type) const;
  Value intrinsic_value(Intrinsic intrinsic) const;

private:
  friend class CompilerWorld; ///< the World as Kiln's own components use it
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
