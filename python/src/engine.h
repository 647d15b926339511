// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Python process's only session, Kiln's module `Python` in it, and the state of Python objects.
#pragma once

#include "syntax.h"
#include "value_type.h"

#include <kiln/kiln.h>

#include <mutex>
#include <unordered_map>

namespace kiln::python {

/// Opened for the first kernel that is compiled. Thread-safe, except for `texts`, which the GIL guards.
class Engine {
public:
  /// Returns the process's engine, and opens it if necessary. Takes no lock of Python. If the caller holds
  /// the GIL, no thread that this waits for may need it.
  static Result<Engine *> get();
  /// Null before the engine is opened.
  static Engine *opened();
  /// Called in a child after fork. Leaves the parent's session untouched; the next get() opens a new one.
  static void forget_after_fork();
  /// Incremented by forget_after_fork(): objects of earlier generations belong to the parent's session.
  static int generation;
  /// Cache folder of engines opened later. Empty: KILN_CACHE_DIR, or the default folder.
  static std::optional<std::string> cache_dir;
  static std::optional<std::vector<std::string>> remote; ///< URLs; empty: KILN_REMOTE_CACHE

  Session &session() { return *session_; }
  World &world() { return *world_; }
  TypeContext &types() { return world_->types(); }
  Symbol symbol(std::string_view text) { return types().symbol(text); }
  /// A function of the library by its unprefixed name: "add" is py_add. Error: Internal.
  Result<Value> library(std::string_view name);
  bool has_library(std::string_view name);
  /// A type of the library, or one visible in it, by its plain name: "Record". Error: Internal.
  Result<TypeRef> library_type(std::string_view name);
  /// Converts to a type of the World. `is_julia`: arrays are CuDeviceArrays. Needs no GIL. Error: Internal,
  /// if the layouts differ.
  Result<TypeRef> type(const ValueType &type, bool is_julia = false);
  /// The inverse, for the type of a result. Call it with the GIL.
  const ValueType *value_type(TypeRef type);
  Result<Value> val(const Value &value) { return kiln::val(*world_, value); }
  Result<Value> val(std::string_view symbol);
  const std::shared_ptr<const JoinRule> &join_rule() const { return join_; }
  /// Defines a function and all functions that it calls, if necessary.
  Result<void> define(const std::shared_ptr<Function> &function);

  /// Access for other components, as through the session's own functions.
  Device cpu() { return session_->cpu(); }
  Result<Device> gpu(int number) { return session_->gpu(number); }

private:
  Engine() = default;
  Result<void> open();
  Result<TypeRef> make_type(const ValueType &type, bool is_julia);
  Result<TypeRef> make_record(const ValueType &type);
  Result<TypeRef> apply(std::string_view name, std::initializer_list<TypeRef> parameters);
  TypeRef symbols(const std::vector<TypeField> &names);
  Result<void> define_one(World &world, const std::shared_ptr<Function> &function);
  std::unique_ptr<Session> session_;
  World *world_ = nullptr;
  Module *library_ = nullptr;
  std::shared_ptr<const JoinRule> join_;
  std::mutex mutex_; ///< guards the following
  std::unordered_map<std::string, Value> functions_;
  std::unordered_map<std::string, TypeRef> library_types_;
  std::unordered_map<const ValueType *, TypeRef> types_, julia_types_;
  std::unordered_map<std::string, std::shared_ptr<Function>> defined_; ///< by identity
};

/// Unifies Numba's types at variables (join.cpp).
TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b);

} // namespace kiln::python
