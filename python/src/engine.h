// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one session of a Python process, Kiln's module `Python` in it, and what is known of Python's objects.
#pragma once

#include "syntax.h"
#include "value_type.h"

#include <kiln/kiln.h>

#include <mutex>
#include <unordered_map>

namespace kiln::python {

/// Opened with the first kernel that is compiled. Thread-safe but for `texts`, which the GIL guards.
class Engine {
public:
  /// The process's engine, opened if it is not. Call without the GIL's being needed by anyone it waits for:
  /// it takes no lock of Python's.
  static Result<Engine *> get();
  /// Null until somebody opened it.
  static Engine *opened();
  /// In a child after fork: the parent's session stays as it is, the next get() opens another one.
  static void forget_after_fork();
  /// Raised by that: what was made before belongs to the parent's session.
  static int generation;
  /// The cache's folder of engines that are opened from now on; not given: KILN_CACHE_DIR, or the usual one.
  static std::optional<std::string> cache_dir;
  static std::optional<std::vector<std::string>> remote; ///< URLs; not set: KILN_REMOTE_CACHE

  Session &session() { return *session_; }
  World &world() { return *world_; }
  TypeContext &types() { return world_->types(); }
  Symbol symbol(std::string_view text) { return types().symbol(text); }
  /// A function of the library by its name without the prefix: "add" is py_add. Error: Internal.
  Result<Value> library(std::string_view name);
  bool has_library(std::string_view name);
  /// A type of the library, or one that it sees, by its plain name: "Record". Error: Internal.
  Result<TypeRef> library_type(std::string_view name);
  /// A type in the World. `is_julia`: arrays are CuDeviceArrays. Needs no GIL. Error: Internal, if the two
  /// layouts differ.
  Result<TypeRef> type(const ValueType &type, bool is_julia = false);
  /// The other direction, of the type of a result. With the GIL.
  const ValueType *value_type(TypeRef type);
  Result<Value> val(const Value &value) { return kiln::val(*world_, value); }
  Result<Value> val(std::string_view symbol);
  const std::shared_ptr<const JoinRule> &join_rule() const { return join_; }
  /// Defines a function and all that it calls, unless they are.
  Result<void> define(const std::shared_ptr<Function> &function);

  /// Seen from outside of it as session's own functions are.
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
  std::mutex mutex_; ///< of what follows
  std::unordered_map<std::string, Value> functions_;
  std::unordered_map<std::string, TypeRef> library_types_;
  std::unordered_map<const ValueType *, TypeRef> types_, julia_types_;
  std::unordered_map<std::string, std::shared_ptr<Function>> defined_; ///< by identity
};

/// The unification of numba's types at variables (join.cpp).
TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b);

} // namespace kiln::python
