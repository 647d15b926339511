// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Held jobs: handles to a function with its argument types, a config, and the world age in which its methods
// were chosen. A held job always compiles the definitions of its world age. is_current() tells whether later
// definitions changed the meaning of the call.
#pragma once

#include <kiln/device.h>
#include <kiln/export.h>
#include <kiln/forward.h>
#include <kiln/job.h>
#include <kiln/stream.h>
#include <kiln/target.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {
class LaunchService;
class HeldJobs;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// A plain function (CompilerConfig::kernel is false), compiled and loaded for the CPU. Cheap to copy,
/// thread-safe, and usable after the session is closed.
class KILN_API HostFunction {
public:
  HostFunction() = default;
  explicit operator bool() const { return state_ != nullptr; }
  /// Returns the function's artifact: parameters (sizes and alignments in bytes), return_size, and the
  /// entry's name.
  const Artifact &artifact() const;
  /// Calls the function. arguments[i] points to the bytes of the i-th parameter; parameters without bytes
  /// (functions, nothing, Val) are left out. Writes return_size bytes to `result`, which may be null if that
  /// is 0. Errors: Usage; Input for an exception of the function, with its source stack.
  Result<void> call(std::span<const void *const> arguments, void *result) const;
  /// Calls the function; a request on `stop` ends it (kiln/stop.h). Error: Stopped; `result` is then
  /// unchanged.
  Result<void> call(std::span<const void *const> arguments, void *result, const StopSource &stop) const;
  /// Returns a C function pointer, with the types of kiln/host_function.h. For f(::Float64, ::Int64) that
  /// returns a Float64 it is a `double (*)(double, int64_t)`. Parameters without bytes are left out. The
  /// pointer is valid as long as a copy of this handle exists; any thread may call it. If the function
  /// throws, the call returns zero, and take_error() returns the error. Errors: Usage for a type that C
  /// cannot pass; Machine for a processor other than x86-64 and AArch64.
  Result<void *> address() const;
  /// Returns the first error of calls through address() on this thread since the last take_error(). Errors:
  /// those of call().
  static Result<void> take_error();

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend LaunchService;
  explicit HostFunction(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// Name and target of a job as timing reports show them.
struct JobLabel {
  std::string name;   ///< "f(Float32, Int64)"
  std::string target; ///< "ptx sm_90"
};

/// A job that is about to be compiled or looked up in a session (SessionOptions::on_job). Valid during the
/// call.
struct JobRequest {
  std::string_view call; ///< "f(Float32)", as requested or as the session's language writes it
  const CompilerConfig &config;
};

/// A held job of a session (Session::job). Cheap to copy; thread-safe. A held job keeps the definitions of
/// its world age in memory, so release jobs that are no longer current. After the session is closed, its
/// functions return Usage errors, and is_current() is false.
class KILN_API Job {
public:
  Job() = default;
  explicit operator bool() const { return state_ != nullptr; }

  /// Returns the call as text in the session's language. In another process with the same definitions, the
  /// text names the same job.
  const std::string &call() const;
  const CompilerConfig &config() const; ///< the checked config: "native" is replaced by the host's CPU
  Result<JobLabel> label() const;
  /// Properties of the code that a GPU loads; no value for the CPU.
  Result<std::optional<GpuCode>> gpu_code() const;
  /// World age: that of the job's creation, or a later one in which the job is unchanged.
  uint64_t world() const;

  /// Returns true if the same call, resolved now, would give the same code. Takes about 10 ns if nothing was
  /// defined since the last call; else compares all functions that the job reaches.
  bool is_current() const;
  /// Registers a callback `told`, called once when a definition makes the job stale; at once if the job is
  /// stale already. The defining thread calls it at the end of Session::load or Session::define, with no lock
  /// held. Its exceptions are ignored. It is not called for a released job.
  void on_stale(std::function<void()> told) const;

  /// Compiles the job in its own world age and returns the product of stage `kind`, as Session::compile does.
  Result<std::shared_ptr<const Artifact>> compile(ArtifactKind kind) const;
  /// Compiles the job and loads it on a device, as Session::prepare does. Error: Usage if the config's target
  /// is not the device's.
  Result<Kernel> prepare(const Device &device) const;
  /// Compiles and loads a plain function for the CPU. Always uses EntryAbi::Packed, whatever the config says.
  Result<HostFunction> prepare_function() const;
  /// Returns a digest, 32 hexadecimal digits, of everything that determines the job's products: its code, all
  /// functions that it calls, the config, and Kiln's build. Jobs with equal digests have equal products, also
  /// across processes. Runs inference for the job.
  Result<std::string> digest() const;
  /// Returns the return type as the language prints it: "Float32", "Nothing", "Union{}".
  Result<std::string> return_type() const;
  /// Makes a new job of the same call with the current definitions. Errors: those of Session::job.
  Result<Job> renew() const;

  /// Attaches the embedder's data to the job's code. All jobs of equal code share the data, also later ones.
  /// The data is released when a definition makes the jobs stale, or when the session is closed. `key` is any
  /// unique address of the embedder, so that several embedders do not collide. Replaces data of the same key.
  void attach(const void *key, std::shared_ptr<void> data) const;
  std::shared_ptr<void> attached(const void *key) const; ///< null: nothing

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend class Session;
  friend class JobScope;
  friend HeldJobs;
  explicit Job(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Collects all jobs of a session that are compiled, prepared or launched while the scope lives, on any
/// thread. Includes jobs that a cache holds and jobs that fail. Each job appears once, in order of its first
/// request. Held jobs that are compiled again are not collected. Meanwhile, launches by name are slower,
/// since they bypass the fast look-up.
class KILN_API JobScope {
public:
  JobScope(JobScope &&) noexcept;
  JobScope &operator=(JobScope &&) noexcept;
  ~JobScope();
  std::vector<Job> jobs() const;
  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend class Session;
  KILN_LOCAL explicit JobScope(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
