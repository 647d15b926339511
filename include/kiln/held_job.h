// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that an embedder holds: a function, the types of its arguments, a config, and the world in which its
// methods were chosen. A job compiles the definitions of its world, whatever is defined later. It also
// reports whether the same call still means the same code.
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

/// A plain function (CompilerConfig::kernel is false), compiled and loaded for the CPU. Cheap to copy and
/// thread-safe; works on after the session is destroyed.
class KILN_API HostFunction {
public:
  HostFunction() = default;
  explicit operator bool() const { return state_ != nullptr; }
  /// Its parameters (sizes and alignments in bytes), return_size, and the entry's name.
  const Artifact &artifact() const;
  /// The packed ABI (abi::NativeFunction): arguments[i] points to the bytes of the i-th parameter, `result`
  /// to return_size bytes that are written; it may be null if that is 0. Parameters without bytes (functions,
  /// nothing, Val) are left out. Errors: Usage; Input, for an exception of the function, with its source
  /// stack.
  Result<void> call(std::span<const void *const> arguments, void *result) const;
  /// Calls the function until `stop` ends it (kiln/stop.h). Error: Stopped; `result` then keeps its bytes.
  Result<void> call(std::span<const void *const> arguments, void *result, const StopSource &stop) const;
  /// The function as C calls it, with the types that kiln/host_function.h lists: for f(::Float64, ::Int64)
  /// that returns a Float64 a `double (*)(double, int64_t)`. Parameters without bytes are left out. Valid as
  /// long as a copy of this handle. Any thread may call it. After an exception it returns zero, and
  /// take_error() has the error. Errors: Usage, for a type that C passes in another way; Machine, for a
  /// processor other than x86-64.
  Result<void *> address() const;
  /// Returns the error of the first call through an address() that failed on this thread since the last
  /// take_error(). Errors: those of call().
  static Result<void> take_error();

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend LaunchService;
  explicit HostFunction(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// A job as timing reports show it.
struct JobLabel {
  std::string name;   ///< "f(Float32, Int64)"
  std::string target; ///< "ptx sm_90"
};

/// A job that somebody requests of a session (SessionOptions::on_job). Valid during the call.
struct JobRequest {
  std::string_view call; ///< "f(Float32)", as requested or as the session's language writes it
  const CompilerConfig &config;
};

/// A job of a session (Session::job). Cheap to copy; thread-safe. A held job keeps its world's definitions in
/// memory, so release jobs that are no longer current. After the session is destroyed, its functions are
/// Usage errors, and is_current is false.
class KILN_API Job {
public:
  Job() = default;
  explicit operator bool() const { return state_ != nullptr; }

  /// The call as text in the session's language, which resolve to the same job in another process.
  const std::string &call() const;
  const CompilerConfig &config() const; ///< as checked; "native" is replaced by the host's CPU
  Result<JobLabel> label() const;
  Result<std::optional<GpuCode>> gpu_code() const; ///< the code that a GPU loads; nothing for a CPU
  uint64_t world() const; ///< an age in which it holds: that in which it was made, or a later one

  /// Returns true if the same call, resolved now, would be the same code. Takes about 10 ns if nothing was
  /// defined since the last call; else it compares all code that the job calls.
  bool is_current() const;
  /// Calls `told` once, when a definition makes the job stale. The call comes on the defining thread, after
  /// Session::load or Session::define is done with its definitions, with no lock held. If the job is already
  /// stale, it comes at once. Exceptions of `told` are dropped. Not called for a released job.
  void on_stale(std::function<void()> told) const;

  /// The product of the stage `kind`, as Session::compile gives it, in the job's own world.
  Result<std::shared_ptr<const Artifact>> compile(ArtifactKind kind) const;
  /// Loaded on a device, as Session::prepare does it. Usage, for a config of another target than the
  /// device's.
  Result<Kernel> prepare(const Device &device) const;
  /// Prepares a plain function for the CPU. EntryAbi::Packed replaces the config's.
  Result<HostFunction> prepare_function() const;
  /// 32 hexadecimal digits of everything that decides the job's products: its code and what it calls, the
  /// config, Kiln's build. Equal digests have equal products, also in another process. Infers the job.
  Result<std::string> digest() const;
  /// Return type, as the language prints types: "Float32", "Nothing", "Union{}".
  Result<std::string> return_type() const;
  /// Resolves the same call now. Errors: as Session::job.
  Result<Job> renew() const;

  /// Attaches data of the embedder's, which lives as long as the code. All jobs of equal code share it, also
  /// later ones. A definition that makes them stale releases it, and so does the session's end. `key`: the
  /// address of an object of the embedder's, which distinguishes two embedders. Replaces earlier data.
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

/// Collects the jobs of a session that are compiled, prepared or launched while it lives, on any thread and
/// by any function. It includes jobs from a cache and jobs that fail, for uses like GPUCompiler's
/// @device_code_llvm. Each job is listed once, in order. Launches by name take a slower path meanwhile. Held
/// jobs that are compiled again do not count.
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
