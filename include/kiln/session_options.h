// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of Session::open.
#pragma once

#include <kiln/allocator.h>
#include <kiln/executor.h>
#include <kiln/held_job.h>
#include <kiln/host_function.h>
#include <kiln/job.h>
#include <kiln/log.h>
#include <kiln/packages.h>
#include <kiln/store.h>
#include <kiln/timing.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {
class Target;
class Frontend;
class HostLibrary;
struct LanguageHost;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// Makes a language of the embedder (kiln/extension/language/frontend.h). The session owns the result.
using FrontendFactory = std::function<std::unique_ptr<Frontend>(const LanguageHost &host)>;

/// A product that `@device_code_llvm expression` or a similar macro shows (docs/guide/language.md). Valid
/// during the call.
struct DeviceCode {
  std::string_view macro; ///< "@device_code_llvm"
  Job job;                ///< a job that the expression requested
  std::string_view text;  ///< the product; of `@device_code`, the path of the file that holds it
};

/// Values that are not set may come from the environment (docs/guide/environment.md).
struct SessionOptions {
  bool timings = false;        ///< time the stages from the start (Session::timings)
  bool trace_events = false;   ///< keep single events too (Session::trace)
  bool timing_passes = false;  ///< with `timings`: a row for each LLVM pass
  bool timing_kernels = false; ///< with `timings`: also run times of kernels (TimingOptions::kernels)
  uint64_t timings_since = 0;  ///< start of the wall clock of the timings (TimingOptions::since)
  /// A clock that several sessions share, from make_timer: one report for all of them. The five options above
  /// and `allocations` are then ignored.
  std::shared_ptr<Timer> timer = {};
  AllocationCounter allocations = nullptr; ///< counts the calling thread's allocations, for the timing table
  /// The folder into which every job dumps its products: all stages of a compiled job, or the artifacts that
  /// the cache folder holds of a found one. Set cache_dir to "" to see all stages of all jobs. Empty:
  /// KILN_DUMP_DIR, or no dump.
  std::string dump_dir = {};
  /// The file to which every compiled or found job is appended once, for `kiln precompile`. Many processes
  /// may share it. Empty: none. Not set: KILN_TRACE_JOBS, or none.
  std::optional<std::string> trace_jobs = {};
  /// Prepare a worker for jobs of this config on another thread while the library loads. Saves about 5 ms in
  /// a program that compiles at once, if there is a second core.
  std::optional<CompilerConfig> warm_up = {};
  /// The config of calls without one: compile, job, submit, prepare, launch, evaluated calls, read_config
  /// and, in C, options_json. A config passed to a call replaces all of it.
  CompilerConfig default_config = {};
  /// Called once for each request of a job, on the requesting thread, before it compiles: also for jobs that
  /// a cache holds and for the first launch by name, but not for later launches and held jobs. An error ends
  /// the job. It must not call the session.
  std::function<Result<void>(const JobRequest &)> on_job = {};
  /// Receives the products of @device_code_llvm and similar macros in evaluated expressions, once per job and
  /// product, on the evaluating thread. It may compile; it must not load or evaluate. Empty: the session logs
  /// them at level Info.
  std::function<void(const DeviceCode &)> device_code = {};
  /// Limits of the in-memory caches, in bytes. The least recently used entries are dropped and made again on
  /// demand. Typed code: about 2,000 small kernels. Artifacts: about 6,000, or about 1,000 with loaded CPU
  /// code, which counts too. 0 keeps nothing. Definitions are not counted: a small kernel takes about 8 kB
  /// until it is replaced.
  size_t inference_budget = size_t(16) << 20;
  size_t artifact_budget = size_t(16) << 20;
  /// Maximum number of threads in LLVM at once, each with some MB of LLVM's own. Others wait. 0: no limit.
  unsigned compile_threads = 0;
  /// For GPU kernels that take long to assemble (docs/guide/many-kernels.md): the first launch runs code that
  /// was assembled fast and runs slower. A background thread assembles optimised code; later launches run it
  /// as soon as it is loaded. No launch waits for it, and captured graphs keep the fast code. Fast code stays
  /// in memory under its own keys: compile(), the cache folder and exports hold optimised code only. If
  /// optimising fails, the log and the timings report it and the kernel keeps its fast code. Closing the
  /// session drops pending work and waits for running work. Applies to launches by name, prepare() and
  /// Job::prepare; not to prepare_many.
  bool quick_tier = false;
  /// For large launches of GPU kernels whose threads handle one element each: a second entry whose threads
  /// handle several neighbouring elements with 16-byte accesses, with bit-identical results. A background
  /// thread makes it after the second such launch; later launches run it if their arguments allow it
  /// (aligned; arrays apart or in step). compile(), exports and foreign launches never use it.
  /// LaunchOptions::coarsen switches it off for one launch. docs/guide/coarsening.md.
  bool coarsen = true;
  /// Number of worker processes for LLVM and assembling. A cancelled, expired or crashed job kills its worker
  /// process, not the host: it ends with a WorkerError that holds the worker's last words. Workers start on
  /// demand and end with the session. Products are byte-identical. Jobs with the embedder's own targets or
  /// hooks compile in this process. 0: none.
  unsigned worker_processes = 0;
  /// The program that workers run, as `PROGRAM worker`: the kiln of the same build. Empty: KILN_WORKER, this
  /// program if it is kiln, ../bin/kiln beside the library, or kiln on PATH.
  std::string worker_program = {};
  uint64_t worker_memory = 0; ///< address space limit of a worker, in bytes; 0: no limit
  /// Time limit for one call of the assembler, in seconds. A GPU kernel that exceeds it is assembled again at
  /// -O1, with a warning; if that exceeds the limit too, the job ends with AssembleLimit. Its code has a key
  /// of its own, for sessions with the same limit (docs/cache.md). The assembler then runs in worker
  /// processes, also if worker_processes is 0. It does not bound the driver's assembler and targets of the
  /// embedder. 0: no limit. Not set: KILN_ASSEMBLE_LIMIT, or no limit.
  std::optional<double> assemble_limit = {};
  /// Threads that run the blocks of a CPU grid, the caller included; 0: KILN_CPU_THREADS, or one per core.
  unsigned cpu_threads = 0;
  /// For tests: a non-zero seed runs the blocks of a CPU grid in an order derived from it. 0:
  /// KILN_CPU_ORDER, or the natural order.
  uint64_t cpu_order = 0;
  /// Runs `work` inside the embedder's own oneTBB arena (arena.execute(work)) and returns when it has
  /// returned. Called from any thread. Empty: an arena of the session, of cpu_threads.
  std::function<void(const std::function<void()> &work)> cpu_arena = {};
  /// Replaces oneTBB for the CPU device; cpu_threads is then ignored. Handles keep it alive.
  std::shared_ptr<CpuExecutor> executor = {};
  /// Allocates the memory of GPU buffers instead of the driver's pool. Device::trim and set_kept_memory then
  /// do nothing. Handles keep it alive.
  std::shared_ptr<DeviceAllocator> device_allocator = {};
  /// The folder of the persistent cache; empty: none. Not set: KILN_CACHE_DIR, else kiln in XDG_CACHE_HOME,
  /// else ~/.cache/kiln. Any number of processes may share it. An unusable folder (another owner, writable
  /// by others, full disk) is a warning.
  std::optional<std::string> cache_dir = {};
  /// Replaces cache_dir, which must then be unset or "". Sessions that share a store wait for each other's
  /// compiles, as those that share a folder do, if the store has leases.
  std::shared_ptr<CacheStore> store = {};
  /// Time after which `store` should drop what this session puts (StorePut::time_to_live). 0: no limit.
  std::chrono::seconds store_expiry{0};
  /// A read-only folder, searched after cache_dir or store. Not set: KILN_SHARED_CACHE_DIR, or none.
  std::optional<std::string> shared_cache_dir = {};
  /// Remote stores that machines share, as URLs: http, https, s3, redis or file (docs/guide/fleet.md). The
  /// first is read and written, the others are only read. The program kiln-agent of this node connects to
  /// them; the session starts it if needed. An entry that does not come in time is compiled. Empty: none. Not
  /// set: KILN_REMOTE_CACHE (URLs separated by spaces), or none.
  std::optional<std::vector<std::string>> remote = {};
  /// Maximum size of cache_dir in bytes; the least recently used entries are dropped. 0: KILN_CACHE_SIZE
  /// (in MiB), or 1 GiB.
  uint64_t cache_budget = 0;
  /// Never: code that no cache has is an error (NotCompiled) that names the job, so a deployment can prove
  /// that it is warm. Inference and products before assembly are not affected. Not set: KILN_COMPILE (auto or
  /// never), or Auto.
  enum class CompileMode : uint8_t { Auto = 1, Never = 2 };
  std::optional<CompileMode> compile = {};
  bool gdb = false; ///< register native code with gdb: functions, lines, variables (per debug level)
  /// The folder for jit-PROCESS.dump, which shows native code to perf (`perf record -k 1`, `perf inject
  /// --jit`). Empty: none.
  std::string perf_dir = {};
  /// Mark GPU launches and compiles as NVTX 3 ranges for tools that listen (nsys, NVTX_INJECTION64_PATH).
  bool nvtx = false;
  bool check_cache = false; ///< compile on every hit of the cache folder, and compare
  bool colour = false;      ///< paint values of non-concrete type red in typed code, for terminals
  /// Targets besides Kiln's own (kiln/extension/llvm/target.h), each with a unique name. Not owned: they must
  /// outlive the session.
  std::vector<const Target *> targets = {};
  std::vector<FrontendFactory> languages = {}; ///< besides Julia; unique names and file extensions
  /// Shared libraries with further languages (kiln/extension/language/library.h). A name without a folder is
  /// a file in the working folder, or the system looks for it. A library stays loaded until the process ends.
  std::vector<std::string> language_files = {};
  /// The language of calls, expressions, and texts whose name has no extension that a language claims. Empty:
  /// the first language of `language_files`, or Julia without any.
  std::string language = "julia";
  /// Library for programs (kiln/program.h) and packages that run code: `&programs_library()`. Not owned: it
  /// must outlive the session. Null: both are Usage errors.
  HostLibrary *host_library = nullptr;
  /// Addresses of host functions that no Session::define_host_function has given, by name (ccall(:name, ...),
  /// entries of the cache): the table first, then the look-up. Both are read when code is loaded.
  HostSymbols symbols = {};
  FindHostSymbol find_symbol = {};
  /// Places of Julia's packages. Not set: those in the environment (packages_of_environment).
  std::optional<PackageOptions> packages = {};
  std::optional<LogLevel> verbosity = {}; ///< not set: KILN_LOG, or LogLevel::Warning
  /// Receives the session's messages up to `verbosity`; kiln/log.h states the threads and the restrictions.
  /// Empty: standard error ("kiln: warning: ...") if KILN_LOG is set, else nothing. The library never writes
  /// to a stream unasked.
  LogFunction log = {};
  /// Read options that are not set from the environment, in open() and in every later call. Programs with
  /// raised privileges (setuid) never read it.
  bool use_environment = true;
};

} // namespace kiln::inline KILN_API_VERSION
