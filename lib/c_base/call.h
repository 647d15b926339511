// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for all functions of the C API.
#pragma once

#include "handles.h"

#include <kiln/bundle.h>
#include <kiln/c.h>
#include <kiln/runtime.h>
#include <kiln/runtime_c.h>
#include <kiln/stop.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <mutex>

namespace kiln::c {

// ---- objects of the handles

struct ErrorObject : Object {
  static constexpr HandleKind kind = HandleKind::Error;
  explicit ErrorObject(Error e) : error(std::move(e)), text(error.what()) {}
  Error error;
  std::string text;
};
/// Object behind a handle of kind `K`, which holds an object `T` of the C++ API.
template <HandleKind K, class T> struct Holder : Object {
  static constexpr HandleKind kind = K;
  explicit Holder(T v) : value(std::move(v)) {}
  T value;
};
using DeviceObject = Holder<HandleKind::Device, Device>;
using KernelObject = Holder<HandleKind::Kernel, Kernel>;
using StreamObject = Holder<HandleKind::Stream, Stream>;
using EventObject = Holder<HandleKind::Event, Event>;
using BufferObject = Holder<HandleKind::Buffer, Buffer>;
using GraphObject = Holder<HandleKind::Graph, Graph>;
using BundleObject = Holder<HandleKind::Bundle, Bundle>;
using StopSourceObject = Holder<HandleKind::StopSource, StopSource>;
using RuntimeObject = Holder<HandleKind::Runtime, std::unique_ptr<Runtime>>;

// ---- statuses

/// Stores an error handle in *error, unless `error` is null, and returns the error's status. Never throws.
KILN_PROGRAMS_API int report(kiln_error **error, Error what) noexcept;

/// Returns an error about an invalid handle: it is null, was freed, is not a handle, or is not of kind
/// `wanted`.
KILN_PROGRAMS_API Error bad_handle(HandleKind wanted, const void *handle);
KILN_PROGRAMS_API Error null_argument(std::string_view function, std::string_view parameter);

/// Runs `body`, the code of a C API function, and returns its status. An error or exception of `body` becomes
/// an error handle in *error.
template <class F> int call(kiln_error **error, F &&body) noexcept {
  if (error) *error = nullptr;
  try {
    Result<void> done = body();
    return done.ok() ? KILN_OK : report(error, done.take_error());
  } catch (const std::bad_alloc &) {
    return report(error, machine_error("out of memory"));
  } catch (const std::exception &e) {
    return report(error, internal_error(e.what()));
  } catch (...) {
    return report(error, internal_error("an exception of an unknown type"));
  }
}

/// Creates an object of type `T` from `arguments`, and stores its handle in *out. Error: Machine if no handle
/// is left.
template <class T, class Handle, class... Arguments>
Result<void> give(Handle **out, Arguments &&...arguments) {
  *out =
      static_cast<Handle *>(make_handle(T::kind, std::make_unique<T>(std::forward<Arguments>(arguments)...)));
  if (!*out)
    return machine_error("there are as many handles as there can be", "free those that are done with");
  return {};
}

/// Copies a structure that the caller supplied. Members that an older version of it lacks become zero. Error:
/// Usage if no version has its struct_size.
template <class T> Result<T> read_struct(const T *given, std::string_view name) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size == sizeof(T)) [[likely]]
    return *given;
  T read{};
  // No version of a structure ends within a member, so that a valid size is a multiple of the alignment.
  if (size < sizeof size || size > sizeof(T) || size % alignof(T))
    return usage_error(fmt::format("{}.struct_size is {}, and this version's is {}: set it to sizeof({}){}",
                                   name, size, sizeof(T), name,
                                   size > sizeof(T) ? ", of the header that this library came with" : ""));
  std::memcpy(&read, given, size);
  return read;
}

/// Converts a structure of an older version in `copy`, and returns a pointer to `copy`. Errors: those of
/// read_struct(). It is the slow path of view_struct(), which does not copy a structure of this version.
template <class T> Result<const T *> view_other_struct(const T *given, std::string_view name, T &copy) {
  KILN_TRY(copy, read_struct(given, name));
  return &copy;
}
template <class T>
[[gnu::always_inline]] inline Result<const T *> view_struct(const T *given, std::string_view name, T &copy) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size == sizeof(T)) [[likely]]
    return given;
  return view_other_struct(given, name, copy);
}

/// Reads the caller's addresses of host functions into a table and a look-up function. A null `given` has
/// none. Error: Usage.
Result<void> read_symbols(const kiln_host_symbols *given, HostSymbols &table, FindHostSymbol &find);

/// Writes `values` to the caller's structure `out`. If that is of an older version, members that it lacks are
/// not written.
template <class T> Result<void> write_struct(T *out, T values, std::string_view name) {
  KILN_TRY(T had, read_struct(out, name));
  values.struct_size = had.struct_size;
  std::memcpy(out, &values, had.struct_size);
  return {};
}

/// Clears the caller's output structure, which may be null. Called before any work, so that a wrong
/// struct_size is reported early.
template <class T> Result<void> check_out(T *out, std::string_view name) {
  return out ? write_struct(out, {}, name) : Result<void>();
}

/// Checks that an object was created in this process, not before a fork. Only the overload for sessions tests
/// it, before it takes a lock. Other objects report it in their own functions. Error: Usage.
template <class T> Result<void> check_process(const T &) { return {}; }

// The macros below return an error from the enclosing function, which must return a Result.

/// Defines `NAME` as the object behind a handle. The object stays in use until the end of the scope.
#define KILN_PIN(TYPE, NAME, HANDLE) KILN_USE(Pinned<TYPE>, TYPE, NAME, HANDLE)
/// Defines `NAME` as the object behind a handle, for an object that stays in use after the API call.
#define KILN_KEEP(TYPE, NAME, HANDLE) KILN_USE(Kept<TYPE>, TYPE, NAME, HANDLE)
#define KILN_USE(USE, TYPE, NAME, HANDLE)                                                                    \
  USE NAME(HANDLE);                                                                                          \
  if (!NAME) return bad_handle(TYPE::kind, HANDLE);                                                          \
  KILN_CHECK(check_process(*NAME))
#define KILN_NOT_NULL(FUNCTION, PARAMETER)                                                                   \
  if (!PARAMETER) return null_argument(FUNCTION, #PARAMETER)
/// Checks that an output parameter is not null, and clears the output. It then stays null if the function
/// fails.
#define KILN_OUT(FUNCTION, PARAMETER)                                                                        \
  KILN_NOT_NULL(FUNCTION, PARAMETER);                                                                        \
  *PARAMETER = {}

/// Converts the arguments of one launch to C++, in memory that the thread reuses. Successive launches usually
/// differ only in the bytes of arguments. A launch by name then only compares type names, and allocates
/// nothing. A nested launch has memory of its own.
class ArgumentScratch {
public:
  ArgumentScratch() : memory_(take()) {}
  ~ArgumentScratch() { give_back(memory_); }
  ArgumentScratch(const ArgumentScratch &) = delete;
  ArgumentScratch &operator=(const ArgumentScratch &) = delete;
  /// Function that returns the reason why a text is not a type of the language; "" if it is a type. A null
  /// pointer if there is no language.
  using ExplainType = const std::function<std::string(std::string_view type)> *;
  /// Converts the arguments. The result is valid until this object is destroyed. `explain` is called for a
  /// type of unknown size. Errors: Usage with the argument's number, counted from 1.
  Result<std::span<const Argument>> read(const kiln_argument *arguments, size_t count,
                                         ExplainType explain = nullptr);

private:
  struct Memory;
  static Memory &take();
  static void give_back(Memory &memory) noexcept;
  static thread_local Memory *kept_; ///< memory that the thread reuses; null before its first launch
  Memory &memory_;
};
/// Converts KILN_DEVICE_CPU and the other kinds. Error: Usage.
Result<DeviceKind> read_device_kind(int kind);
/// Returns the name of a device that a caller gave; null means the CPU.
inline std::string_view device_or_cpu(const char *name) { return name ? name : "cpu"; }
/// 0 counts as 1.
inline std::array<uint32_t, 3> extents(const unsigned given[3]) {
  return {std::max(given[0], 1u), std::max(given[1], 1u), std::max(given[2], 1u)};
}
/// 0: none. Error: Usage.
Result<std::chrono::nanoseconds> time_limit(double seconds);
/// Shape and options of a launch in C++. Functions below fill it.
struct Launch {
  LaunchShape shape;
  LaunchOptions options;
  std::optional<StopSource> stop; ///< owner of options.stop
};
/// Error: Usage.
Result<void> read_stop(const kiln_stop_source *given, Launch &out);
Result<void> read_shape(const kiln_shape *shape, Launch &out);
/// Stores a copy of `text` in *out. The caller frees it with kiln_text_free().
KILN_PROGRAMS_API Result<void> give_text(char **out, const std::string &text);

} // namespace kiln::c
