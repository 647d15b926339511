// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class Engine: the only session of a Python process, and Kiln's module `Python` in it (python/library).
#pragma once

#include "syntax.h"
#include "value_type.h"

#include <kiln/device_name.h>
#include <kiln/kiln.h>

#include <mutex>
#include <unordered_map>

namespace kiln::python {

/// Device numbers in Python: -1 is the CPU, a smaller number than this one a GPU of CUDA, and this one the
/// first OpenCL device. The package has the same number (_device_data.py).
inline constexpr int first_opencl_device = 32;

/// The process's session, opened for the first kernel that is compiled. Thread-safe.
class Engine {
public:
  /// Returns the process's engine, and opens it if necessary. Does not take the GIL. If the caller holds the
  /// GIL, the thread that opens the engine must not need it.
  static Result<Engine *> get();
  /// As get(). If the engine is opened now, CUDA's driver starts on another thread while the library loads.
  static Result<Engine *> get_with_gpus();
  /// Returns the engine, or null before it is opened.
  static Engine *opened();
  /// Called in a child after fork. Leaves the parent's session untouched; the next get() opens a new session.
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
  /// Finds a function of python/library by its name without prefix: "add" for py_add. Error: Internal.
  Result<Value> library(std::string_view name);
  bool has_library(std::string_view name);
  /// Finds a type of python/library, or one visible there, by its plain name: "Record". Error: Internal.
  Result<TypeRef> library_type(std::string_view name);
  /// Converts a type of Python values to a type of the World. `is_julia`: arrays become CuDeviceArrays. Needs
  /// no GIL. Error: Internal, if the layouts differ.
  Result<TypeRef> type(const ValueType &type, bool is_julia = false);
  /// Converts a type of the World, the type of a result, to a type of Python values. Call it with the GIL.
  const ValueType *value_type(TypeRef type);
  Result<Value> val(const Value &value) { return kiln::val(*world_, value); }
  Result<Value> val(std::string_view symbol);
  const std::shared_ptr<const JoinRule> &join_rule() const { return join_; }
  /// Defines a function and all functions that it calls in the World, unless they are already defined.
  Result<void> define(const std::shared_ptr<Function> &function);

  /// Devices of the session: the CPU, and other devices by their numbers in Python.
  Device cpu() { return session_->cpu(); }
  Result<Device> gpu(int number) {
    return number < first_opencl_device
               ? session_->gpu(number)
               : session_->device(text_of(DeviceName{DeviceKind::OpenCl, number - first_opencl_device}));
  }

private:
  Engine() = default;
  static Result<Engine *> get(bool starts_gpus);
  Result<void> open(bool starts_gpus);
  Result<void> load_library();
  Result<TypeRef> make_type(const ValueType &type, bool is_julia);
  Result<TypeRef> make_record(const ValueType &type);
  Result<TypeRef> apply(std::string_view name, std::initializer_list<TypeRef> parameters);
  TypeRef symbols(const std::vector<TypeField> &names);
  Result<void> define_one(World &world, const std::shared_ptr<Function> &function);
  Result<void> define_method(World &world, Module &home, const std::shared_ptr<Function> &function);
  std::unique_ptr<Session> session_;
  World *world_ = nullptr;
  Module *library_ = nullptr;
  std::shared_ptr<const JoinRule> join_;
  std::mutex mutex_; ///< guards the members below
  std::unordered_map<std::string, Value> functions_;
  std::unordered_map<std::string, TypeRef> library_types_;
  std::unordered_map<const ValueType *, TypeRef> types_, julia_types_;
  /// By identity. Guarded by the World's evaluation lock.
  std::unordered_map<std::string, std::shared_ptr<Function>> defined_;
};

/// Returns the type of a variable that holds values of types a and b, by Numba's rules. Null: the types do
/// not unify.
TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b);

} // namespace kiln::python
