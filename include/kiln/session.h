// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Session, Kiln's main entry: it owns definitions, caches, workers and devices. Two sessions of a
// process share only the primary contexts of the GPUs. docs/examples/embed.cpp is a tour.
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
/// Sizes of the structures that programs and libkiln exchange through a session. The library compares them to
/// detect headers of another version.
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

/// A session: definitions, and the services that compile and launch them. Thread-safe: any thread may define,
/// compile and launch. A call sees the definitions that exist when it begins; definitions of one text become
/// visible one by one. Functions return errors as values and never throw. A call from within a callback of
/// the same session (log, store, observer, define), or in a forked child, is a Usage error.
class KILN_API Session {
public:
  /// Opens a session and loads the language's base library (about 5 ms). Errors: Usage (a bad option or
  /// environment variable, headers of another version), Internal.
  KILN_HEADER_INLINE static Result<std::unique_ptr<Session>> open(const SessionOptions &options = {}) {
    const auto structures = detail::session_structures();
    return open(options, {KILN_VERSION, structures});
  }
  static Result<std::unique_ptr<Session>> open(const SessionOptions &options, const ProgramHeaders &headers);
  /// Waits for the session's CPU streams and pending cache writes; in a forked child it waits for nothing. No
  /// other call may be running. Devices, kernels, streams, buffers, events, graphs and artifacts stay usable.
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  // ---- definitions
  /// Loads a program: evaluates the definitions of a text or file. They replace earlier definitions of equal
  /// signature. Errors: Input, with the place of every syntax error; Input for an unreadable file.
  Result<LoadSummary> load(const std::string &name, const std::string &text);
  Result<LoadSummary> load_file(const std::string &path);
  /// Loads a text of the embedder's own library, which is equal for all its programs. Call it right after
  /// open(), before other definitions and while no job runs. Cache keys contain the text, so a later process
  /// does not compare its definitions again. Errors in calls of the library name the caller's place. A
  /// library cannot load packages. Traces of jobs do not list its text: who compiles their jobs has to load
  /// it first. Errors: those of load(); Usage if the session has other definitions.
  Result<LoadSummary> load_library(const std::string &name, const std::string &text);
  /// Defines a function by LLVM IR; it replaces an IR function of the same name and types. Kiln does not
  /// check what the IR does: accept only trusted IR. Errors: Input with the line (broken IR, unknown symbol
  /// or intrinsic), Input for unknown types. A wrong triple, data layout or parameter list is an error of the
  /// job that uses it.
  Result<void> define_ir(const IrFunction &function);
  /// Defines a function of module Main that calls C code at `address` (kiln/host_function.h states the
  /// contract). Defining the same name and signature again replaces only the address, for all later calls,
  /// also from loaded code; nothing is recompiled. Functions of one name may have different argument types.
  /// Errors: Usage (name, null address), Input (unknown type, a type that C code cannot take, unknown
  /// exception).
  Result<void> define_host_function(const std::string &name, const HostSignature &signature, void *address);
  /// Runs `definitions` with the session's World while no other thread can define. Afterwards calls
  /// Job::on_stale callbacks of jobs that became stale. The function may use kiln/extension/language, but
  /// must not call this session. Returns the function's error; definitions made before the error remain.
  Result<void> define(const std::function<Result<void>(World &)> &definitions);
  /// Returns the World, which holds all definitions, for look-ups from any thread
  /// (kiln/extension/language.h). Use define() to change it.
  World &world() const;
  /// Returns the session's language of class T, found by `T::language_name`; null if the session has no such
  /// language. Needs no RTTI. The caller must synchronise its calls of the language with calls of the
  /// session.
  template <class T> T *language() const { return static_cast<T *>(language(T::language_name)); }
  Frontend *language(std::string_view name) const;

  // ---- configs. A function whose config is left out uses SessionOptions::default_config.
  const CompilerConfig &default_config() const;
  /// Makes a config from JSON options: {"target": "ptx", "arch": "sm_90", "O": 3}. Options that the JSON
  /// leaves out are those of `base`. Error: Input, with the place of each fault.
  Result<CompilerConfig> read_config(std::string_view json,
                                     const CompilerConfig &base = session_default()) const;
  /// Makes one config for each architecture in the option "arch" ("sm_80,sm_90a" or a JSON list), in order.
  /// Error: Input.
  Result<std::vector<CompilerConfig>> read_configs(std::string_view json) const;
  /// Adapts a config to a device: replaces a native target by the device's own target. Error: Usage.
  Result<CompilerConfig> config_for(const Device &device,
                                    const CompilerConfig &config = session_default()) const;
  /// Registers hooks, so that read_config accepts {"hooks": "name"} (kiln/ir_hooks.h). Error: Usage.
  Result<void> add_hooks(std::shared_ptr<const JobHooks> hooks);

  // ---- jobs
  /// Compiles "f(T1, T2, ...)" (types or values) and returns the product of the stage. Errors: Input (no
  /// method, KernelError, InvalidIRError ...), Usage (bad config, no such product), Machine (missing NVIDIA
  /// library).
  Result<std::shared_ptr<const Artifact>> compile(std::string_view call, const CompilerConfig &config,
                                                  ArtifactKind kind);
  Result<std::shared_ptr<const Artifact>> compile(std::string_view call, ArtifactKind kind) {
    return compile(call, session_default(), kind);
  }
  /// Makes a held job of a call with the current definitions (kiln/held_job.h). Selects the method but runs
  /// no inference. The second form takes a function and concrete argument types; `at` is the place of the
  /// call in messages. Errors: those of compile() about call and config.
  Result<Job> job(std::string_view call, const CompilerConfig &config = session_default());
  Result<Job> job(const Value &function, std::span<const Type *const> arguments,
                  const CompilerConfig &config = session_default(), const Location &at = {});
  JobScope collect_jobs(); ///< collects all jobs that are requested while the returned scope lives
  /// Starts a compile on a thread of the session (kiln/compile.h). The future holds all errors.
  CompileFuture submit(CompileRequest request, const SubmitOptions &options = {});
  /// Compiles all requests and waits. Results are in the order of the requests; equal jobs compile once.
  std::vector<Result<std::shared_ptr<const Artifact>>> compile_many(std::span<const CompileRequest> requests,
                                                                    const SubmitOptions &options = {});
  /// Compiles and loads all requests, like prepare(). GPU kernels with the same config are assembled
  /// together, in a half to a third of the time. Such cubins have their own cache keys and serve launches
  /// only.
  std::vector<Result<Kernel>> prepare_many(std::span<const CompileRequest> requests, const Device &device,
                                           const SubmitOptions &options = {});
  /// Calls `observer` with every product of the stages in `kinds` (empty: all stages) until the handle is
  /// destroyed.
  [[nodiscard]] Observation observe(ProductObserver observer, std::span<const ArtifactKind> kinds = {});

  // ---- devices and streams
  Device cpu();
  /// Lists the GPUs. Errors: Machine (no driver, driver before CUDA 12.0, no GPU).
  Result<std::vector<GpuInfo>> gpus();
  Result<Device> gpu(int number = 0); ///< opens a GPU in its primary context. Error: Machine
  /// Opens the device of a name, such as "cpu", "cuda:1" or "opencl" (kiln/device_name.h). Errors: Usage,
  /// Machine.
  Result<Device> device(std::string_view name);
  /// Lists the devices of a kind; for OpenCL those that accept SPIR-V. Error: Machine (no driver, no device).
  Result<std::vector<GpuInfo>> devices(DeviceKind kind);
  /// Opens the GPU of the embedder's CUcontext, which must outlive the session and its handles. Errors:
  /// Machine, Usage.
  Result<Device> gpu_in_context(void *context);
  Stream stream();                             ///< a new CPU stream
  Result<Stream> stream(const Device &device); ///< a new stream
  /// Wraps a CUstream of the device's context, or an in-order cl_command_queue of Device::native_context. It
  /// must outlive the handle.
  Result<Stream> stream(const Device &device, void *native_stream);

  // ---- launches
  /// Launches a kernel by name. The first form waits; the second submits the launch to a stream. Compiles on
  /// first use with these argument types. Arrays must be in device memory. Argument bytes are copied. Errors:
  /// those of compile(); Usage (shape, memory that the device cannot access); Input (kernel exception with
  /// thread, block and source lines; deadlock; time limit; faults found by CompilerConfig::check). For a
  /// launch in a stream, Stream::synchronize returns the Input errors.
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
  /// Compiles a kernel and loads it on the device; launches of the handle need no look-up. If no installed
  /// assembler supports the GPU, the driver assembles the PTX. Errors: those of compile(); Machine; Usage
  /// while this thread captures a graph.
  Result<Kernel> prepare(std::string_view call, const CompilerConfig &config, const Device &device);
  Result<Kernel> prepare(std::string_view call, const CompilerConfig &config = session_default()) {
    return prepare(call, config, cpu());
  }
  /// Compiles a plain function for the CPU; ignores CompilerConfig::kernel. Errors: those of compile().
  Result<HostFunction> prepare_function(std::string_view call,
                                        const CompilerConfig &config = session_default());
  /// Loads a cubin or PTX: a product of compile(), or code from elsewhere with `entry`, `parameters` and
  /// `needs_cooperative_launch` filled in. Errors: Machine, Usage.
  Result<Kernel> load_kernel(std::shared_ptr<const Artifact> artifact, const Device &device);
  /// Launches a kernel in a temporary stream and waits. Errors: those of Stream::launch and
  /// Stream::synchronize.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options = {});

  // ---- reports (kiln/timing.h, docs/guide/timings.md)
  void start_timings(const TimingOptions &options = {}); ///< clears the records and starts recording
  void stop_timings();                                   ///< keeps the records
  void reset_timings();                                  ///< clears the records while timings are on
  TimingReport timings() const;
  std::string trace() const; ///< Chrome / Perfetto trace events as JSON
  std::string spans() const; ///< trace events as spans of OpenTelemetry (OTLP/JSON)
  /// Sends the first 128 KiB of spans() to the agent of the remote cache, which posts them to
  /// OTEL_EXPORTER_OTLP_ENDPOINT. Does not wait. Error: Usage without a remote cache.
  Result<void> send_spans();
  /// Begins a row of the embedder in the timings. `time_job` groups this thread's stages under a job.
  TimingScope time(std::string_view stage);
  TimingScope time_job(std::string_view job);
  /// Adds a row with a known duration; times of the steady clock, in nanoseconds.
  void add_timing(std::string_view stage, uint64_t start, uint64_t end);
  using Counters = SessionCounters;
  Counters counters() const;
  /// Checks that this thread may call the session now. Error: Usage, from a callback of the session or in a
  /// forked child. Functions without a Result then return empty values or do nothing: timings(), trace(),
  /// stream(), flush_cache(), and in a child process also cpu() and counters().
  Result<void> check() const;
  Result<void> check_process() const; ///< Error: Usage if another process opened the session
  void wait_for_background(); ///< waits until background compiles are done and launches use their code
  void flush_cache();         ///< waits until all artifacts are in the cache's folder

  struct KILN_LOCAL State;

private:
  friend SessionServices;
  KILN_LOCAL explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
