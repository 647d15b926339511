// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of Session::open: caches, devices, workers, languages and logging.
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

/// Function that makes a language of the embedder for a session (kiln/extension/language/frontend.h). The
/// session owns the result.
using FrontendFactory = std::function<std::unique_ptr<Frontend>(const LanguageHost &host)>;

/// A product that `@device_code_llvm expression` or a similar macro shows (docs/guide/language.md). Valid
/// during the call.
struct DeviceCode {
  std::string_view macro; ///< "@device_code_llvm"
  Job job;                ///< a job that the expression requested
  std::string_view text;  ///< the product; of `@device_code`, the path of the file that holds it
};

/// Options of a session. Options that are not set may come from environment variables
/// (docs/guide/environment.md).
struct SessionOptions {
  bool timings = false;       ///< record timings of stages from the start (Session::timings)
  bool trace_events = false;  ///< record single events too (Session::trace)
  bool timing_passes = false; ///< with `timings`: a row for each LLVM pass
  /// With `timings`: measure execution times of kernels (TimingOptions::kernels).
  bool timing_kernels = false;
  uint64_t timings_since = 0; ///< start of the timings' wall time (TimingOptions::since); 0: now
  /// A timer from make_timer, which several sessions may share for a common report. The five options above
  /// and `allocations` are then ignored. Null: the session's own timer.
  std::shared_ptr<Timer> timer = {};
  AllocationCounter allocations = nullptr; ///< counts the calling thread's allocations, for the timing table
  /// The folder into which every job dumps its products: all stages if it is compiled, else the artifacts
  /// that the cache's folder holds. Set cache_dir to "" to dump all stages of all jobs. Empty: KILN_DUMP_DIR,
  /// or no dump.
  std::string dump_dir = {};
  /// The trace file, to which every job that is compiled or found in a cache is appended once, for `kiln
  /// precompile`. Several processes may share it. Empty: none. Not set: KILN_TRACE_JOBS, or none.
  std::optional<std::string> trace_jobs = {};
  /// Config for which a background thread prepares LLVM (target machine and pipeline) while the session
  /// opens. Saves about 5 ms in a program that compiles immediately, if there is a second core.
  std::optional<CompilerConfig> warm_up = {};
  /// The config of functions whose config is left out: compile, job, submit, prepare, launch, evaluated
  /// calls, read_config and, in C, a null options_json. A given config replaces all of its fields.
  CompilerConfig default_config = {};
  /// Called once for each request of a job, on the requesting thread, before the job compiles. Includes jobs
  /// that a cache holds and the first launch by name, but not later launches and held jobs. If it returns an
  /// error, the request fails with it. It must not call the session.
  std::function<Result<void>(const JobRequest &)> on_job = {};
  /// Receives the products that @device_code_llvm and similar macros show, once per job and product, on the
  /// thread that evaluates the expression. It may compile; it must not load or evaluate. Empty: the session
  /// logs the products at level Info.
  std::function<void(const DeviceCode &)> device_code = {};
  /// Limits of the in-memory caches, in bytes. The least recently used entries are dropped and made again on
  /// demand. inference_budget limits typed code; the default holds about 2,000 small kernels. artifact_budget
  /// limits artifacts and loaded CPU code; the default holds about 6,000 small kernels, or 1,000 with loaded
  /// CPU code. 0: nothing is kept. Definitions do not count: a small kernel takes about 8 kB until it is
  /// replaced.
  size_t inference_budget = size_t(16) << 20;
  size_t artifact_budget = size_t(16) << 20;
  /// Maximum number of threads that run LLVM at once; others wait. Each needs a few MB of memory for LLVM. 0:
  /// no limit.
  unsigned compile_threads = 0;
  /// Quick tier, for GPU kernels that take long to assemble (docs/guide/many-kernels.md). The first launch
  /// runs quickly assembled code, which runs slower. A background thread assembles optimised code; later
  /// launches run that as soon as it is loaded. No launch waits for optimised code, and captured graphs keep
  /// the quick code. Quick code stays in memory only: compile(), the cache's folder and exports hold
  /// optimised code. If the optimised assembling fails, the log and the timings report it and the kernel
  /// keeps its quick code. Closing the session drops pending work and waits for running work. Applies to
  /// launches by name, prepare() and Job::prepare, but not to prepare_many.
  bool quick_tier = false;
  /// Tiers of kernels on the CPU device (docs/design/quick-tier.md). Auto: a kernel that no cache has begins
  /// with code of the first tier, which compiles in a fraction of the time and runs slower. Once its launches
  /// have run for about a millisecond, a background thread compiles optimised code. Running and later
  /// launches then continue with that code. Both tiers compute the same bits, except the payload and sign of
  /// NaNs. Kernels with relaxed floating-point operations, at opt_level 0 or 1, or at debug_level 2 have no
  /// first tier. compile(), exports and tuners never use it. Optimized: no first tier. First, for tests: code
  /// of the first tier stays. Not set: KILN_CPU_TIER (auto, optimized or first), or Auto.
  enum class CpuTier : uint8_t { Auto = 1, Optimized = 2, First = 3 };
  std::optional<CpuTier> cpu_tier = {};
  /// Coarsening, for large launches of GPU kernels whose threads handle one element each: a second entry
  /// whose threads handle several neighbouring elements with 16-byte accesses. Results are bit-identical. A
  /// background thread compiles that entry after the second such launch. Later launches run it if their
  /// arrays are aligned and do not overlap unsafely. compile(), exports and launches outside Kiln never use
  /// it. LaunchOptions::coarsen switches it off for one launch. See docs/guide/coarsening.md.
  bool coarsen = true;
  /// Number of worker processes for LLVM and assembling. A job that is cancelled, exceeds its deadline or
  /// crashes ends its worker process, not the host process. A crashed job fails with a WorkerError that holds
  /// the worker's last output. Workers start on demand and end with the session. Products are byte-identical
  /// to those of this process. Jobs with the embedder's own targets or hooks compile in this process. 0:
  /// none.
  unsigned worker_processes = 0;
  /// The program that worker processes run, as `PROGRAM worker`; it must be kiln of the same build. Empty:
  /// KILN_WORKER, this program if it is kiln, ../bin/kiln beside the library, or kiln on PATH.
  std::string worker_program = {};
  uint64_t worker_memory = 0; ///< address space limit of a worker, in bytes; 0: no limit
  /// Time limit for one call of the assembler, in seconds. A GPU kernel that exceeds the limit is assembled
  /// again at -O1, with a warning. If that exceeds the limit too, the job fails with AssembleLimit. Code
  /// assembled at -O1 has its own cache key, which only sessions with the same limit use (docs/cache.md).
  /// With a limit, the assembler runs in worker processes even if worker_processes is 0. The limit does not
  /// apply to the driver's assembler and targets of the embedder. 0: no limit. Not set: KILN_ASSEMBLE_LIMIT,
  /// or no limit.
  std::optional<double> assemble_limit = {};
  /// Threads that run the blocks of a CPU grid, the caller included; 0: KILN_CPU_THREADS, or one per core.
  unsigned cpu_threads = 0;
  /// For tests: a non-zero seed runs the blocks of a CPU grid in an order derived from it. 0:
  /// KILN_CPU_ORDER, or the natural order.
  uint64_t cpu_order = 0;
  /// Runs `work` inside the embedder's own oneTBB arena (arena.execute(work)) and returns after `work` has
  /// returned. Called from any thread. Empty: the session makes an arena of cpu_threads threads.
  std::function<void(const std::function<void()> &work)> cpu_arena = {};
  /// Executor that replaces oneTBB for the CPU device; cpu_threads is then ignored. Handles of the session
  /// keep the executor alive. Null: oneTBB.
  std::shared_ptr<CpuExecutor> executor = {};
  /// Allocates the memory of GPU buffers instead of the driver's pool. Device::trim and set_kept_memory then
  /// do nothing. Handles of the session keep the allocator alive. Null: the driver's pool.
  std::shared_ptr<DeviceAllocator> device_allocator = {};
  /// The folder of the persistent cache; empty: none. Not set: KILN_CACHE_DIR, else kiln in XDG_CACHE_HOME,
  /// else ~/.cache/kiln. Any number of processes may share it. An unusable folder (another owner, writable
  /// by others, full disk) is a warning.
  std::optional<std::string> cache_dir = {};
  /// Store that replaces cache_dir, which must then be unset or "". If the store supports leases, sessions
  /// that share it wait for each other's compiles, like sessions that share a folder. Null: cache_dir.
  std::shared_ptr<CacheStore> store = {};
  /// Time after which `store` should drop entries that this session stores (StorePut::time_to_live). 0: no
  /// limit.
  std::chrono::seconds store_expiry{0};
  /// A read-only folder with cache entries, searched after cache_dir or `store`. Not set:
  /// KILN_SHARED_CACHE_DIR, or none.
  std::optional<std::string> shared_cache_dir = {};
  /// Remote stores that machines share, as URLs: http, https, s3, redis or file (docs/guide/fleet.md). The
  /// session reads and writes the first and only reads the others. The program kiln-agent of this node
  /// connects to the stores; the session starts it if needed. An entry that does not arrive in time is
  /// compiled. Empty: none. Not set: KILN_REMOTE_CACHE (URLs separated by spaces), or none.
  std::optional<std::vector<std::string>> remote = {};
  /// Maximum size of cache_dir in bytes; the least recently used entries are dropped. 0: KILN_CACHE_SIZE
  /// (in MiB), or 1 GiB.
  uint64_t cache_budget = 0;
  /// Never: a job whose code is in no cache fails with NotCompiled, which names the job. A deployment can so
  /// verify that its cache is complete. Inference and products before assembly are still made. Not set:
  /// KILN_COMPILE (auto or never), or Auto.
  enum class CompileMode : uint8_t { Auto = 1, Never = 2 };
  std::optional<CompileMode> compile = {};
  bool gdb = false; ///< register native code with gdb: functions, lines, variables (per debug level)
  /// The folder for jit-PROCESS.dump, which shows native code to perf (`perf record -k 1`, `perf inject
  /// --jit`). Empty: none.
  std::string perf_dir = {};
  /// Mark GPU launches and compiles as NVTX 3 ranges for tools that listen (nsys, NVTX_INJECTION64_PATH).
  bool nvtx = false;
  bool check_cache = false; ///< recompile on every hit in the cache's folder, and compare
  bool colour = false;      ///< paint values of non-concrete type red in typed code, for terminals
  /// Targets besides Kiln's own (kiln/extension/llvm/target.h), each with a unique name. Not owned: they must
  /// outlive the session.
  std::vector<const Target *> targets = {};
  /// Languages besides Julia; names and file extensions must be unique.
  std::vector<FrontendFactory> languages = {};
  /// Shared libraries with further languages (kiln/extension/language/library.h). A name without a folder is
  /// a file in the working folder, else the system's dynamic linker searches it. A library stays loaded until
  /// the process ends.
  std::vector<std::string> language_files = {};
  /// The language of calls, expressions, and texts whose name has an unknown file extension. Empty: the first
  /// language of `language_files`, or Julia without any.
  std::string language = "julia";
  /// Library that runs programs (kiln/program.h) and packages with code that runs while they load:
  /// `&programs_library()`. Not owned: it must outlive the session. Null: programs and such packages are
  /// Usage errors.
  HostLibrary *host_library = nullptr;
  /// Addresses, by name, of host functions that were not defined by Session::define_host_function but are
  /// used by ccall(:name, ...) or cached code. Loading code searches `symbols` first, then calls
  /// `find_symbol`.
  HostSymbols symbols = {};
  FindHostSymbol find_symbol = {};
  /// Folders of Julia packages. Not set: from environment variables (packages_of_environment).
  std::optional<PackageOptions> packages = {};
  std::optional<LogLevel> verbosity = {}; ///< not set: KILN_LOG, or LogLevel::Warning
  /// Receives the session's messages up to level `verbosity`; kiln/log.h states threads and restrictions.
  /// Empty: messages go to standard error ("kiln: warning: ...") if KILN_LOG is set, else nowhere.
  LogFunction log = {};
  /// Read options that are not set from environment variables, in open() and in later calls. Programs with
  /// raised privileges (setuid) never read them.
  bool use_environment = true;
};

} // namespace kiln::inline KILN_API_VERSION
