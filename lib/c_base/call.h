// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers shared by the functions of the C API.
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
/// Object of the other kinds: holds one object of the C++ API.
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

/// Stores the error in *error, if requested, and returns its status. Never throws.
KILN_PROGRAMS_API int report(kiln_error **error, Error what) noexcept;

/// Error: "kiln_stream is null", "... was freed, or is no handle of kiln's", or "... is a kiln_kernel".
KILN_PROGRAMS_API Error bad_handle(HandleKind wanted, const void *handle);
KILN_PROGRAMS_API Error null_argument(std::string_view function, std::string_view parameter);

/// Runs the body of an API function. Converts its Result, or an exception (out of memory), to a status.
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

/// Returns an object to the caller as a handle.
template <class T, class Handle, class... Arguments>
Result<void> give(Handle **out, Arguments &&...arguments) {
  *out =
      static_cast<Handle *>(make_handle(T::kind, std::make_unique<T>(std::forward<Arguments>(arguments)...)));
  if (!*out)
    return machine_error("there are as many handles as there can be", "free those that are done with");
  return {};
}

/// Reads a structure of the caller: fields that an earlier version lacks are zero. Errors: Usage for a size
/// that no version has.
template <class T> Result<T> read_struct(const T *given, std::string_view name) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size == sizeof(T)) [[likely]]
    return *given;
  T read{};
  if (size < sizeof size || size > sizeof(T) || size % alignof(T)) // no version ends within a pointer
    return usage_error(fmt::format("{}.struct_size is {}, and this version's is {}: set it to sizeof({}){}",
                                   name, size, sizeof(T), name,
                                   size > sizeof(T) ? ", of the header that this library came with" : ""));
  std::memcpy(&read, given, size);
  return read;
}

/// Like read_struct, without a copy for callers of this version; for others `copy` is filled. Valid as long
/// as both live.
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

/// Reads addresses of host functions; null: none. Error: Usage.
Result<void> read_symbols(const kiln_host_symbols *given, HostSymbols &table, FindHostSymbol &find);

/// Writes a structure of the caller, which may be of an earlier version.
template <class T> Result<void> write_struct(T *out, T values, std::string_view name) {
  KILN_TRY(T had, read_struct(out, name));
  values.struct_size = had.struct_size;
  std::memcpy(out, &values, had.struct_size);
  return {};
}

/// Checks an optional output structure before any work, so that a wrong size is reported early.
template <class T> Result<void> check_out(T *out, std::string_view name) {
  return out ? write_struct(out, {}, name) : Result<void>();
}

/// Checks that the handle belongs to this process. Sessions check before they take a lock; other handles
/// report it in their own functions. Error: Usage.
template <class T> Result<void> check_process(const T &) { return {}; }

// The macros below are for functions that return a Result.

/// `NAME`: object behind a handle, in use until the end of the scope.
#define KILN_PIN(TYPE, NAME, HANDLE) KILN_USE(Pinned<TYPE>, TYPE, NAME, HANDLE)
/// Like KILN_PIN, for objects that stay in use after the call.
#define KILN_KEEP(TYPE, NAME, HANDLE) KILN_USE(Kept<TYPE>, TYPE, NAME, HANDLE)
#define KILN_USE(USE, TYPE, NAME, HANDLE)                                                                    \
  USE NAME(HANDLE);                                                                                          \
  if (!NAME) return bad_handle(TYPE::kind, HANDLE);                                                          \
  KILN_CHECK(check_process(*NAME))
#define KILN_NOT_NULL(FUNCTION, PARAMETER)                                                                   \
  if (!PARAMETER) return null_argument(FUNCTION, #PARAMETER)
/// Checks an output parameter and sets it to null until there is a result.
#define KILN_OUT(FUNCTION, PARAMETER)                                                                        \
  KILN_NOT_NULL(FUNCTION, PARAMETER);                                                                        \
  *PARAMETER = {}

/// Arguments of one launch as C++ values, in memory that the thread reuses. Usually only bytes change: a
/// launch by name then allocates nothing and only compares texts. A nested launch has its own memory.
class ArgumentScratch {
public:
  ArgumentScratch() : memory_(take()) {}
  ~ArgumentScratch() { give_back(memory_); }
  ArgumentScratch(const ArgumentScratch &) = delete;
  ArgumentScratch &operator=(const ArgumentScratch &) = delete;
  /// Explains why a text is not a type, in terms of the language; empty: it is one. Null: no language.
  using ExplainType = const std::function<std::string(std::string_view type)> *;
  /// The result is valid while this object lives. `explain` is called for a type of unknown size. Errors:
  /// Usage, with the argument's number from 1.
  Result<std::span<const Argument>> read(const kiln_argument *arguments, size_t count,
                                         ExplainType explain = nullptr);

private:
  struct Memory;
  static Memory &take();
  static void give_back(Memory &memory) noexcept;
  static thread_local Memory *kept_; ///< of the thread; null: none yet
  Memory &memory_;
};
/// GPU number of "cuda", "cuda:1"; -1: the CPU ("cpu", null). Error: Usage.
Result<int> device_number(const char *name);
/// 0 counts as 1.
inline std::array<uint32_t, 3> extents(const unsigned given[3]) {
  return {std::max(given[0], 1u), std::max(given[1], 1u), std::max(given[2], 1u)};
}
/// 0: none. Error: Usage.
Result<std::chrono::nanoseconds> time_limit(double seconds);
/// Shape and options of a launch. Errors: Usage.
struct Launch {
  LaunchShape shape;
  LaunchOptions options;
  std::optional<StopSource> stop; ///< owner of options.stop
};
/// Error: Usage.
Result<void> read_stop(const kiln_stop_source *given, Launch &out);
Result<void> read_shape(const kiln_shape *shape, Launch &out);
/// Returns a copy, to be freed by kiln_text_free.
KILN_PROGRAMS_API Result<void> give_text(char **out, const std::string &text);

} // namespace kiln::c
