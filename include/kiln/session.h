// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Session owns definitions, caches, workers and devices. Two sessions of a process share only the primary
// contexts of its GPUs. docs/examples/embed.cpp is a tour.
#pragma once

#include <kiln/abi.h>
#include <kiln/argument.h>
#include <kiln/compile.h>
#include <kiln/device.h>
#include <kiln/header_check.h>
#include <kiln/host_function.h>
#include <kiln/ir_function.h>
#include <kiln/observer.h>
#include <kiln/read_config.h>
#include <kiln/session_options.h>
#include <kiln/session_report.h>
#include <kiln/stream.h>

namespace kiln {
struct SessionServices; // component session
class Frontend;
class World;
class Value;
class Type;
} // namespace kiln

namespace kiln::detail {
/// Structures that a program and the library share through a session.
consteval auto session_structures() {
  return std::array{
      KILN_STRUCTURE(SessionOptions), KILN_STRUCTURE(CompilerConfig),  KILN_STRUCTURE(TargetSpec),
      KILN_STRUCTURE(Artifact),       KILN_STRUCTURE(CompileRequest),  KILN_STRUCTURE(SubmitOptions),
      KILN_STRUCTURE(LaunchShape),    KILN_STRUCTURE(LaunchOptions),   KILN_STRUCTURE(Argument),
      KILN_STRUCTURE(HostSignature),  KILN_STRUCTURE(IrFunction),      KILN_STRUCTURE(GpuInfo),
      KILN_STRUCTURE(DeviceLimits),   KILN_STRUCTURE(MemoryCounters),  KILN_STRUCTURE(TimingOptions),
      KILN_STRUCTURE(TimingReport),   KILN_STRUCTURE(SessionCounters), KILN_STRUCTURE(LoadSummary),
      KILN_STRUCTURE(Diagnostic),     KILN_STRUCTURE(StorePut),        KILN_STRUCTURE(StoreLease)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Thread-safe: any thread may define, compile and launch. A call sees the definitions that exist when it
/// begins; definitions of one text become visible one by one. Functions return errors as values and never
/// throw. A call from within a callback of the same session (log, store, observer, define), or in a forked
/// child, is a Usage error.
class KILN_API Session {
public:
  /// Loads the language's base library (about 5 ms). Errors: Usage (a bad option or variable, headers of
  /// another version), Internal.
  KILN_HEADER_INLINE static Result<std::unique_ptr<Session>> open(const SessionOptions &options = {}) {
    const auto structures = detail::session_structures();
    return open(options, {KILN_VERSION, structures});
  }
  static Result<std::unique_ptr<Session>> open(const SessionOptions &options, const ProgramHeaders &headers);
  /// Waits for its CPU streams and pending cache writes; in a forked child it waits for nothing. No other
  /// call may be running. Devices, kernels, streams, buffers, events, graphs and artifacts stay usable.
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  // ---- definitions
  /// Evaluates the definitions of a text or file; they replace earlier ones of equal signature. Errors:
  /// Input, with the place of every syntax error; Input for an unreadable file.
  Result<LoadSummary> load(const std::string &name, const std::string &text);
  Result<LoadSummary> load_file(const std::string &path);
  /// Defines a function by LLVM IR, in place of one with the same name and types. The IR is trusted. Errors:
  /// Input with the line (broken IR, unknown symbol or intrinsic), Input for unknown types. A wrong triple,
  /// data layout or parameter list is an error of the job that uses it.
  Result<void> define_ir(const IrFunction &function);
  /// Defines a function of module Main that calls C code at `address` (kiln/host_function.h states the
  /// contract). The same name and signature again: only the address changes, for calls from then on, also of
  /// code that is loaded; nothing compiles again. Functions of one name may differ in their types. Errors:
  /// Usage (name, null address), Input (unknown type, a type that C code cannot take, unknown exception).
  Result<void> define_host_function(const std::string &name, const HostSignature &signature, void *address);
  /// Runs `definitions` with the session's World, not interleaved with other definitions, then reports jobs
  /// that became stale. It may use kiln/extension/language, but must not call this session. Returns its
  /// error; definitions made before the error remain.
  Result<void> define(const std::function<Result<void>(World &)> &definitions);
  /// The definitions, for look-ups from any thread (kiln/extension/language.h); define() changes them.
  World &world() const;
  /// The session's language of class T, which names it: `static constexpr std::string_view language_name`.
  /// Null: there is none of that name. Needs no RTTI. The caller orders its calls with the session's.
  template <class T> T *language() const { return static_cast<T *>(language(T::language_name)); }
  Frontend *language(std::string_view name) const;

  // ---- configs. A function whose config is left out uses SessionOptions::default_config.
  const CompilerConfig &default_config() const;
  /// A config from options by name: {"target": "ptx", "arch": "sm_90", "O": 3}; `base` has the other options.
  /// Error: Input with places.
  Result<CompilerConfig> read_config(std::string_view json,
                                     const CompilerConfig &base = session_default()) const;
  /// One config for each architecture of "arch" ("sm_80,sm_90a" or a list), in order. Error: Input.
  Result<std::vector<CompilerConfig>> read_configs(std::string_view json) const;
  /// The config for a kernel on this device: a native target becomes the device's own. Error: Usage.
  Result<CompilerConfig> config_for(const Device &device,
                                    const CompilerConfig &config = session_default()) const;
  /// Makes hooks known to read_config as {"hooks": "name"} (kiln/ir_hooks.h). Error: Usage.
  Result<void> add_hooks(std::shared_ptr<const JobHooks> hooks);

  // ---- jobs
  /// Compiles "f(T1, T2, ...)" (types or values) and returns the product of the stage. Errors: Input (no
  /// method, KernelError, InvalidIRError ...), Usage (bad config, no such product), Machine (no library).
  Result<std::shared_ptr<const Artifact>> compile(std::string_view call, const CompilerConfig &config,
                                                  ArtifactKind kind);
  Result<std::shared_ptr<const Artifact>> compile(std::string_view call, ArtifactKind kind) {
    return compile(call, session_default(), kind);
  }
  /// The job of a call as of now (kiln/held_job.h): selects the method and infers nothing. The second form
  /// takes a function and concrete argument types; `at` is the place of the call, for messages. Errors: those
  /// of compile() about call and config.
  Result<Job> job(std::string_view call, const CompilerConfig &config = session_default());
  Result<Job> job(const Value &function, std::span<const Type *const> arguments,
                  const CompilerConfig &config = session_default(), const Location &at = {});
  JobScope collect_jobs(); ///< collects all jobs that are requested while the scope lives
  /// Starts a compile on a thread of the session (kiln/compile.h). The future holds all errors.
  CompileFuture submit(CompileRequest request, const SubmitOptions &options = {});
  /// Compiles all requests and waits. Results keep their order; equal jobs compile once.
  std::vector<Result<std::shared_ptr<const Artifact>>> compile_many(std::span<const CompileRequest> requests,
                                                                    const SubmitOptions &options = {});
  /// prepare() for all requests. GPU kernels of one config are assembled together, which takes a half to a
  /// third of the time; such cubins have their own keys and serve launches only.
  std::vector<Result<Kernel>> prepare_many(std::span<const CompileRequest> requests, const Device &device,
                                           const SubmitOptions &options = {});
  /// Shows `observer` every product of these stages (none: all) until the handle is destroyed.
  [[nodiscard]] Observation observe(ProductObserver observer, std::span<const ArtifactKind> kinds = {});

  // ---- devices and streams
  Device cpu();
  Result<std::vector<GpuInfo>> gpus(); ///< Errors: Machine (no driver, driver before CUDA 12.0, no GPU)
  Result<Device> gpu(int number = 0);  ///< in the primary context. Error: Machine
  /// In a CUcontext of the embedder, which must outlive the session and its handles. Errors: Machine, Usage.
  Result<Device> gpu_in_context(void *context);
  Stream stream();                             ///< a new CPU stream
  Result<Stream> stream(const Device &device); ///< a new stream
  /// A CUstream of the device's context, which must outlive the handle.
  Result<Stream> stream(const Device &device, void *cuda_stream);

  // ---- launches
  /// Runs a kernel by name and waits (first form), or enqueues it behind the stream's work (second form).
  /// Compiles on first use for these argument types. Arrays must be in device memory. Argument bytes are
  /// copied. Errors: those of compile(); Usage (shape, unreachable memory); Input (kernel exception with
  /// thread, block and source lines; deadlock; time limit; CompilerConfig::check), for streams from
  /// Stream::synchronize.
  Result<void> launch(const Device &device, std::string_view function, const LaunchShape &shape,
                      ArgumentList arguments, const CompilerConfig &config = session_default(),
                      const LaunchOptions &options = {});
  Result<void> launch(Stream &stream, std::string_view function, const LaunchShape &shape,
                      ArgumentList arguments, const CompilerConfig &config = session_default(),
                      const LaunchOptions &options = {});
  Result<void> launch(std::string_view function, const LaunchShape &shape, ArgumentList arguments,
                      const CompilerConfig &config = session_default(), const LaunchOptions &options = {}) {
    return launch(cpu(), function, shape, arguments, config, options);
  }
  /// Compiles a kernel and loads it, so that launches look nothing up. The driver assembles where no
  /// assembler knows the GPU. Errors: those of compile(); Machine; Usage while this thread captures a graph.
  Result<Kernel> prepare(std::string_view call, const CompilerConfig &config, const Device &device);
  Result<Kernel> prepare(std::string_view call, const CompilerConfig &config = session_default()) {
    return prepare(call, config, cpu());
  }
  /// Compiles a plain function for the CPU; ignores CompilerConfig::kernel. Errors: those of compile().
  Result<HostFunction> prepare_function(std::string_view call,
                                        const CompilerConfig &config = session_default());
  /// Loads a cubin or PTX: a product of compile(), or another one with `entry`, `parameters` and
  /// `needs_cooperative_launch` filled in. Errors: Machine, Usage.
  Result<Kernel> load_kernel(std::shared_ptr<const Artifact> artifact, const Device &device);
  /// Launches in a stream of its own and waits. Errors: those of Stream::launch and Stream::synchronize.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options = {});

  // ---- reports (kiln/timing.h, docs/guide/timings.md)
  void start_timings(const TimingOptions &options = {}); ///< clears the records and starts the clock
  void stop_timings();                                   ///< keeps the records
  void reset_timings();                                  ///< clears the records while timings are on
  TimingReport timings() const;
  std::string trace() const; ///< Chrome / Perfetto trace events as JSON
  std::string spans() const; ///< the same as spans of OpenTelemetry (OTLP/JSON)
  /// Hands the spans to the agent of the remote cache, which posts them to OTEL_EXPORTER_OTLP_ENDPOINT, and
  /// waits for nothing: the first 128 KiB. Error: Usage, without a remote cache.
  Result<void> send_spans();
  /// A row of the embedder. `time_job` groups this thread's stages under a job.
  TimingScope time(std::string_view stage);
  TimingScope time_job(std::string_view job);
  void add_timing(std::string_view stage, uint64_t start, uint64_t end); ///< steady clock, nanoseconds
  using Counters = SessionCounters;
  Counters counters() const;
  /// May this thread call the session now? Error: Usage. Where it may not, timings() and trace() are empty,
  /// stream() is an empty handle, and flush_cache() does nothing; in a child process cpu() and counters() are
  /// empty, too.
  Result<void> check() const;
  Result<void> check_process() const; ///< is this the process that opened the session? Error: Usage
  void wait_for_background();         ///< until pending optimised and coarse code is swapped in
  void flush_cache();                 ///< until all artifacts are in the cache folder

  struct KILN_LOCAL State;

private:
  friend SessionServices;
  KILN_LOCAL explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
