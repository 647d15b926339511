// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an embedder holds. A Session owns definitions, caches, workers and devices; two sessions in one
// process do not meet, but for a GPU's primary context, which is the process's. docs/examples/embed.cpp is
// the tour.
#pragma once

#include <kiln/abi.h>
#include <kiln/allocator.h>
#include <kiln/argument.h>
#include <kiln/compile.h>
#include <kiln/device.h>
#include <kiln/executor.h>
#include <kiln/export.h>
#include <kiln/held_job.h>
#include <kiln/ir_function.h>
#include <kiln/job.h>
#include <kiln/log.h>
#include <kiln/observer.h>
#include <kiln/store.h>
#include <kiln/stream.h>
#include <kiln/timing.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class Target;
class Frontend;
class World;
class Value;
class Type;
struct LanguageHost;

/// Makes a language of the embedder's (kiln/extension/language/frontend.h); the session owns it.
using FrontendFactory = std::function<std::unique_ptr<Frontend>(const LanguageHost &host)>;

/// A product that `@device_code_llvm expression` or one of its kin shows (docs/guide/language.md). Valid
/// during the call.
struct DeviceCode {
  std::string_view macro; ///< "@device_code_llvm"
  Job job;                ///< that the expression asked for
  std::string_view text;  ///< the product; of the macro without a suffix, the file that holds it
};

struct SessionOptions {
  bool timings = false;       ///< time stages from the start (Session::timings)
  bool trace_events = false;  ///< keep single events too (Session::trace)
  bool timing_passes = false; ///< with `timings`: a row for each of LLVM's passes
  uint64_t timings_since = 0; ///< when the wall clock of the timings began (TimingOptions::since)
  /// A clock that several sessions share, in place of one of this session's own: their stages and jobs are in
  /// one report. Whoever made it starts it (kiln/extension/language/stage_timer.h); `timings`,
  /// `trace_events`, `timing_passes`, `timings_since` and `allocations` then do not count.
  std::shared_ptr<Timer> timer = {};
  AllocationCounter allocations = nullptr; ///< counts the calling thread's allocations, for the table
  /// Every job leaves its products there: each stage's if it is compiled, or, if the cache's folder has it,
  /// what that holds (the assembly or object, the cubin). A cache_dir of "" makes all of them. Empty:
  /// KILN_DUMP_DIR, or nowhere.
  std::string dump_dir = {};
  /// A file to which every job that is compiled or found is appended once, for `kiln precompile`. Many
  /// processes may share it. Empty: none. Not given: KILN_TRACE_JOBS, or none.
  std::optional<std::string> trace_jobs = {};
  /// Make a worker ready for jobs of this config on another thread while the library loads: saves a program
  /// that compiles at once about 5 ms where there is a second core.
  std::optional<CompilerConfig> warm_up = {};
  /// Hears what @device_code_llvm and its kin find in expressions that the session evaluates, once a job and
  /// product, on the thread that evaluates; it may compile, and must not load or evaluate. Empty: the
  /// session's log has it, at level Info.
  std::function<void(const DeviceCode &)> device_code = {};
  /// What the caches may hold, in bytes; what was used longest ago is dropped and made again when it is asked
  /// for again. Typed code: about 2,000 small kernels. Artifacts: about 6,000, or about 1,000 of which CPU
  /// code is loaded, which counts too. 0 keeps nothing. What is defined stays as long as it is not replaced:
  /// about 8 kB for a small kernel.
  size_t inference_budget = size_t(16) << 20;
  size_t artifact_budget = size_t(16) << 20;
  /// Threads that may be in LLVM at once, each with some MB of LLVM's own; others that compile wait for one
  /// of them. 0: no limit.
  unsigned compile_threads = 0;
  /// For kernels on GPUs whose assembly takes long (docs/guide/many-kernels.md tells which): the first launch
  /// runs code that was assembled fast and runs slower, and a thread of the session assembles them well
  /// meanwhile. As soon as that is loaded the launches that follow run it; none waits for it, and what was
  /// captured in a graph stays as it was. Fast code is kept in memory alone, under keys of its own: what
  /// compile(), the folder and exports hold is the optimised code, the same to the byte as without the tier.
  /// If assembling it fails, the log and the timings tell and the kernel keeps its fast code. Closing the
  /// session drops what has not begun and waits for what has. For launches by name, prepare() and
  /// Job::prepare; prepare_many assembles well at once.
  bool quick_tier = false;
  /// For kernels on GPUs whose threads do one element each, and launches large enough: threads of a second
  /// entry do several neighbouring elements each, with accesses of 16 bytes, and compute bit for bit the
  /// same. A thread of the session makes it when the second such launch has begun; as soon as it is loaded,
  /// launches for whose arguments it is right (aligned, arrays apart or in step) run it, the others and all
  /// before run the kernel as it was written. compile(), exports and foreign launches never meet it.
  /// docs/guide/coarsening.md tells which kernels. LaunchOptions::coarsen switches it off for a launch.
  bool coarsen = true;
  /// Processes that do the session's work in LLVM and its assembling, so that what cannot be stopped in this
  /// one can: a job that is cancelled or past its deadline has its worker process killed, and one that
  /// crashes or runs out of memory ends that job alone, with a WorkerError that holds its last words. They
  /// are started as they are needed, kept for later jobs, and end with the session. The products are byte for
  /// byte those made here. Jobs with the embedder's own targets or hooks compile in this process. 0: none.
  unsigned worker_processes = 0;
  /// The program that they run, called as `PROGRAM worker`: the kiln of the same build. Empty: KILN_WORKER,
  /// or this program if it is kiln, or kiln as it was installed beside the library (../bin), or on PATH.
  std::string worker_program = {};
  uint64_t worker_memory = 0; ///< bytes of address space that a worker process may take; 0: no limit
  /// Threads that run a grid's blocks on the CPU, this one included; 0: KILN_CPU_THREADS, or one a core.
  unsigned cpu_threads = 0;
  /// Other than 0: the blocks of a grid run in an order that follows from this number, for tests; 0:
  /// KILN_CPU_ORDER, or in their own order.
  uint64_t cpu_order = 0;
  /// Where the CPU device runs its blocks: calls what it is given inside the embedder's own oneTBB task arena
  /// (e.g. arena.execute(work)), from any thread, and returns when that has returned. Empty: an arena of the
  /// session's own, of cpu_threads.
  std::function<void(const std::function<void()> &work)> cpu_arena = {};
  /// What the CPU device runs on in place of oneTBB, whose threads are then never started; cpu_threads does
  /// not count. Handles keep it, as the two below.
  std::shared_ptr<CpuExecutor> executor = {};
  /// Where buffers on GPUs get their memory, in place of a pool of the driver's; Device::trim and
  /// set_kept_memory then do nothing.
  std::shared_ptr<DeviceAllocator> device_allocator = {};
  /// The folder of the cache that outlives the session; empty: none. Not given: KILN_CACHE_DIR, else kiln in
  /// XDG_CACHE_HOME, else
  /// ~/.cache/kiln. Any number of processes may share it. What keeps it from being used (it belongs to
  /// another user, others can write to it, a full disk) is a warning.
  std::optional<std::string> cache_dir = {};
  /// In place of `cache_dir`, which is then not given or "", and of its variables. Processes that share it do
  /// not wait for each other's compiles, as those that share a folder do.
  std::shared_ptr<CacheStore> store = {};
  /// A folder that is only read, where `cache_dir` or `store` has nothing; not given: KILN_SHARED_CACHE_DIR,
  /// or none.
  std::optional<std::string> shared_cache_dir = {};
  uint64_t cache_budget = 0; ///< bytes that cache_dir may take, what was used longest ago goes; 0:
                             ///< KILN_CACHE_SIZE in MiB, or 1 GiB
  /// Native code is visible to gdb by its JIT interface: functions, lines and variables, as the debug level
  /// has them.
  bool gdb = false;
  /// A folder in which jit-PROCESS.dump tells perf of native code: `perf record -k 1`, `perf inject --jit`.
  /// Empty: none.
  std::string perf_dir = {};
  /// Launches on GPUs, and compiles for them, are ranges of NVTX 3 where a tool listens (nsys,
  /// NVTX_INJECTION64_PATH).
  bool nvtx = false;
  bool check_cache = false; ///< compile on every hit of the folder, and compare
  bool colour = false;      ///< for a terminal: typed code paints values whose type is not concrete red
  /// Targets besides Kiln's own (kiln/extension/llvm/target.h), each with a name of its own. Not owned: they
  /// outlive the session.
  std::vector<const Target *> targets = {};
  /// Languages besides Julia, each with a name and file extensions of its own.
  std::vector<FrontendFactory> languages = {};
  /// That of calls and expressions, and of texts whose name has no extension that a language claims.
  std::string language = "julia";
  int verbosity = -1; ///< 0 errors ... 3 debug; -1: KILN_LOG, or warnings
  /// Is given the session's messages up to `verbosity`; kiln/log.h says from which threads, and what it may
  /// do. Empty: standard error, as "kiln: warning: ...", if KILN_LOG is set; else nobody is told. The library
  /// writes to no stream of its own accord.
  LogFunction log = {};
  /// Whether what is not given here may come from the environment (docs/guide/environment.md), in open() and
  /// in every later call. Programs that run with more rights than their caller (setuid) read none of it in
  /// any case.
  bool use_environment = true;
};

/// Session::read_config and Session::read_configs without a session: of Kiln's own targets.
KILN_API Result<CompilerConfig> read_config(std::string_view json);
KILN_API Result<std::vector<CompilerConfig>> read_configs(std::string_view json);
/// An option that read_config takes. docs/guide/options.md describes them.
struct OptionInfo {
  std::string_view name;   ///< "maxregs"
  std::string_view target; ///< the target that has it; empty: all have it
  bool is_flag = false;    ///< its value is true or false
};
KILN_API std::vector<OptionInfo> config_options();
/// The message about an option that is none of the known ones, for languages with options of their own.
KILN_API std::string unknown_option_message(std::string_view name, std::span<const std::string> known);
/// A stage by its name, as `kiln compile --emit` has them: lowered, typed, llvm, llvm-opt, asm, obj, cubin.
/// Error: Usage.
KILN_API Result<ArtifactKind> read_stage(std::string_view name);

/// What loading a file did.
struct LoadSummary {
  uint32_t methods = 0, types = 0;
  /// Top-level statements that were not run, and definitions that could not be evaluated: "file:line: what".
  std::vector<std::string> notes;
  /// What is no error, and hardly meant: "file:line:column: the package `P` is not known ...". The session's
  /// log has them too.
  std::vector<std::string> warnings;
};

/// Thread-safe: any thread may define, compile and launch beside the others, also what is being redefined.
/// Each call sees the definitions that are there when it begins; those of one text come one after the other,
/// so that a call beside load() may see the first of them alone. Every function's errors are values; none of
/// them throws.
class KILN_API Session {
public:
  /// Loads the language's base library (about 5 ms). Errors: Usage (an option or a variable of the
  /// environment with a value that it does not take), Internal.
  static Result<std::unique_ptr<Session>> open(const SessionOptions &options = {});
  /// Closing waits for what is in its CPU streams, and for what is on its way into the cache's folder. In a
  /// child of the process that opened it, it waits for nothing, and what the session held stays allocated. No
  /// other call of the session may be under way. Devices, kernels, streams, buffers, events and graphs that
  /// came from it work on (kiln/device.h); artifacts too.
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  /// Evaluates the definitions in a text or a file; later ones replace earlier ones of equal signature.
  /// Errors: Input with every place (syntax errors), Input for a file that cannot be read.
  Result<LoadSummary> load(const std::string &name, const std::string &text);
  Result<LoadSummary> load_file(const std::string &path);

  /// Defines a function whose body is LLVM IR (kiln/ir_function.h); a later definition of the same name and
  /// types replaces it. The IR is trusted as a program is: it may name any memory. Errors: Input with the
  /// line of the text (broken or too new IR, an unknown intrinsic, no such symbol), Input for types that the
  /// language does not know. What depends on the target is found when a job is compiled: another triple or
  /// data layout, other parameters than the types have.
  Result<void> define_ir(const IrFunction &function);

  /// Shows `observer` every product of these stages (none: all) of all jobs from now on, until the handle is
  /// destroyed. Products that nobody asks for are made for it: LLVM's text of every job costs about as much
  /// as its emission.
  [[nodiscard]] Observation observe(ProductObserver observer, std::span<const ArtifactKind> kinds = {});

  /// Makes hooks known to read_config under their name, {"hooks": "name"}; in place of others of it.
  /// make_hooks of kiln/ir_hooks.h makes some of functions that take and give LLVM's text. Error: Usage.
  Result<void> add_hooks(std::shared_ptr<const JobHooks> hooks);
  /// A config from options of `kiln compile` by their names, as an object of JSON: {"target": "ptx", "arch":
  /// "sm_90", "O": 3}; of a target of the embedder's, its own options by theirs. Errors: Input, with every
  /// place in the text.
  Result<CompilerConfig> read_config(std::string_view json) const;
  /// A config for each architecture: "arch" is "sm_80,sm_90a,sm_100f", or a list of such. In the order of
  /// that list; one config where there is no "arch". Errors: as read_config.
  Result<std::vector<CompilerConfig>> read_configs(std::string_view json) const;

  /// Compiles "f(T1, T2, ...)", argument types or values in the language, and gives the product of the stage
  /// `kind`. Errors: Input (no such function, KernelError, InvalidIRError ...), Usage (a config that no
  /// target takes, no such product), Machine (a library is missing).
  Result<std::shared_ptr<const Artifact>> compile(std::string_view call, const CompilerConfig &config,
                                                  ArtifactKind kind);

  // ---- many, and without waiting (kiln/compile.h). They are compiled by threads of the session, as many as
  // `compile_threads`, or one a core, which start with the first of them.
  /// Begins a compile and returns. The method is looked up now, as for job(); its errors are the future's.
  CompileFuture submit(CompileRequest request, const SubmitOptions &options = {});
  /// Compiles all of them, and waits; the results are in the order of the requests. Equal jobs are compiled
  /// once. A job's errors are its own result's. Cubins are those of each kernel alone, as compile() gives
  /// them: prepare_many is faster where they shall run.
  std::vector<Result<std::shared_ptr<const Artifact>>> compile_many(std::span<const CompileRequest> requests,
                                                                    const SubmitOptions &options = {});
  /// As prepare() for each of them, in their order. For a GPU, kernels of one config are assembled several
  /// at a time, which takes a half to a third of the time: such cubins hold more than one kernel, are kept
  /// under keys of their own, and only loading them on a device uses them.
  std::vector<Result<Kernel>> prepare_many(std::span<const CompileRequest> requests, const Device &device,
                                           const SubmitOptions &options = {});

  /// The job of "f(T1, T2, ...)" as of now, to be held (kiln/held_job.h). The method is looked up; nothing is
  /// inferred. Errors: compile's, as far as they are about the call and the config.
  Result<Job> job(std::string_view call, const CompilerConfig &config = {});
  /// The same without text, for those who define through kiln/extension/language: a function and the types of
  /// its arguments, each concrete.
  Result<Job> job(const Value &function, std::span<const Type *const> arguments,
                  const CompilerConfig &config = {});
  /// Collects the jobs that are asked for from now on, as long as the scope lives.
  JobScope collect_jobs();
  /// Runs `definitions` with the session's World, after and before those of other threads' calls of define
  /// and load; then jobs that it made stale are told. It may call all of kiln/extension/language, but of this
  /// session's functions none. Errors: those of `definitions`; what was defined before it failed stands.
  Result<void> define(const std::function<Result<void>(World &)> &definitions);

  // ---- devices. A GPU is reached through the CUDA driver, opened when it is first asked for (the library
  // that the environment's KILN_CUDA_DRIVER names, else libcuda.so.1).
  Device cpu();
  /// What the driver lists. Errors: Machine (no driver, one before CUDA 12.0, no GPU).
  Result<std::vector<GpuInfo>> gpus();
  /// In its primary context, which stays as long as the session. Errors: Machine (also: no such number).
  Result<Device> gpu(int number = 0);
  /// In a context of the embedder's, a CUcontext, which must outlive the session and the handles made in it.
  /// Errors: Machine, Usage.
  Result<Device> gpu_in_context(void *context);

  /// Runs the kernel `function` on a device over a grid and waits for it. Compiled on first use for these
  /// argument types, then from the cache; with a time limit, as interruptible. Arrays have to be in the
  /// device's memory, which is checked for GPUs. Errors: compile's; Usage for a shape that the device cannot
  /// run, or memory that it cannot reach; Input for an exception of the kernel, with thread, block and source
  /// lines, for threads that wait for each other, for a kernel that outlives its time limit, and for what
  /// CompilerConfig::check finds.
  Result<void> launch(const Device &device, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config = {},
                      const LaunchOptions &options = {});
  Result<void> launch(const Device &device, std::string_view function, const LaunchShape &shape,
                      std::initializer_list<Argument> arguments, const CompilerConfig &config = {},
                      const LaunchOptions &options = {}) {
    return launch(device, function, shape, std::span<const Argument>(arguments.begin(), arguments.size()),
                  config, options);
  }
  /// On the CPU.
  Result<void> launch(std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config = {},
                      const LaunchOptions &options = {}) {
    return launch(cpu(), function, shape, arguments, config, options);
  }
  Result<void> launch(std::string_view function, const LaunchShape &shape,
                      std::initializer_list<Argument> arguments, const CompilerConfig &config = {},
                      const LaunchOptions &options = {}) {
    return launch(cpu(), function, shape, std::span<const Argument>(arguments.begin(), arguments.size()),
                  config, options);
  }

  /// The same on the stream's device, behind what was put in the stream before; does not wait. The arguments'
  /// bytes are copied. An exception of the kernel is the error of Stream::synchronize.
  Result<void> launch(Stream &stream, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config = {},
                      const LaunchOptions &options = {});

  /// Compiles the kernel "f(T1, T2, ...)" and loads it whole on a device, for launches that look nothing up
  /// and load nothing. A config for the native target (as one is by default) stands for the device's own.
  /// Without an assembler for PTX, and for GPUs newer than this LLVM knows, the driver assembles. Errors:
  /// compile's; Machine, Usage while this thread captures a graph.
  Result<Kernel> prepare(std::string_view call, const CompilerConfig &config, const Device &device);
  Result<Kernel> prepare(std::string_view call, const CompilerConfig &config = {}) {
    return prepare(call, config, cpu());
  } ///< for the CPU
  /// Compiles the plain function "f(T1, T2, ...)" for the CPU; `config` is for the native target, and its
  /// `kernel` is not looked at. Errors: compile's.
  Result<HostFunction> prepare_function(std::string_view call, const CompilerConfig &config = {});
  /// Loads a cubin or PTX on a GPU: one of compile()'s, in this process or another, or one made elsewhere
  /// with `entry`, `parameters` and, where it waits for its grid, `needs_cooperative_launch` filled in.
  /// Errors: Machine (one for another architecture, PTX newer than the driver ...), Usage.
  Result<Kernel> load_kernel(std::shared_ptr<const Artifact> artifact, const Device &device);
  /// As Stream::launch in a stream of its own, but waits for it; its errors come back here.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options = {});
  /// A queue of its own for launches.
  Result<Stream> stream(const Device &device);
  Stream stream(); ///< on the CPU
  /// A stream of the embedder's, a CUstream of the device's context, which must outlive this handle of it.
  Result<Stream> stream(const Device &device, void *cuda_stream);

  // ---- timings (kiln/timing.h, docs/guide/timings.md). On from the opening with SessionOptions::timings, or
  // between these.
  void start_timings(const TimingOptions &options = {}); ///< drops what was recorded; the clock starts
  void stop_timings();                                   ///< what was recorded stays to be read
  void reset_timings(); ///< drops what was recorded; the clock starts anew. Nothing while they are off
  /// Where the time went since they were started or reset. From any thread, also while others compile.
  TimingReport timings() const;
  std::string trace() const; ///< Chrome / Perfetto trace events as JSON
  /// Rows of the embedder's own; while timings are off they cost next to nothing. `job` groups what this
  /// thread does meanwhile, as the session's own jobs do; within it each of those has a row "other job".
  TimingScope time(std::string_view stage);
  TimingScope time_job(std::string_view job);
  /// A stage that is over, in nanoseconds of the steady clock: what came before the session, say.
  void add_timing(std::string_view stage, uint64_t start, uint64_t end);
  /// Jobs that were compiled, and that the cache answered; what the caches hold and have dropped.
  struct Counters {
    uint64_t compiled = 0, hits = 0, waits = 0, inferred = 0, inference_hits = 0;
    uint64_t artifact_bytes = 0, artifacts_evicted = 0, inference_bytes = 0, inferred_dropped = 0;
    uint64_t disk_hits = 0, disk_misses = 0; ///< artifacts looked for in the folder
    uint64_t edge_hits = 0,
             edge_misses = 0;   ///< jobs that were known from the folder to be as they were: not inferred
    uint64_t damaged = 0;       ///< entries that could not be read
    uint64_t llvm_contexts = 0; ///< made by this session
    uint64_t assembled = 0;     ///< calls of an assembler
    uint64_t merged = 0;        ///< kernels that were assembled together with others
    uint64_t quick = 0;         ///< kernels that began with fast code (SessionOptions::quick_tier) ...
    uint64_t swapped = 0;       ///< ... and those of them whose optimised code was swapped in
    uint64_t coarsened = 0;     ///< kernels that got a coarse entry (SessionOptions::coarsen)
  };
  Counters counters() const;
  /// Can this thread call the session now? Errors: Usage, from within a callback that the session waits for
  /// (kiln/log.h, kiln/store.h), and in a child of the process that opened it. Calls that return a Result say
  /// the same; of the others timings(), trace() and counters() are empty, cpu() and stream() give empty
  /// handles, and flush_cache() does nothing.
  Result<void> check() const;
  Result<void> check_process() const; ///< of these, the second alone
  /// Waits until the session's threads have made and swapped in what they make besides launches: code of the
  /// quick tier, coarse entries. Nobody needs to call it: for measurements and tests.
  void wait_for_background();
  /// Waits until all that was compiled is in the cache's folder. The destructor does so too.
  void flush_cache();

  struct KILN_LOCAL State; ///< for Kiln's own tools
  State &state() { return *state_; }

private:
  KILN_LOCAL explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln
