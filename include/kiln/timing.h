// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timings of a session: wall time by stage and by job. Every stage of every job is timed, by the pipeline's
// function run_stage or by a scope. Time outside all stages is the row 'untimed'. docs/guide/timings.md
// explains reports.
//
// Times are nanoseconds of the steady clock. A report is a plain value, independent of the session.
#pragma once

#include <kiln/export.h>
#include <kiln/session_report.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {
class Timer;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// Number and bytes of allocations of the calling thread. The library never replaces operator new: a program
/// that wants these columns counts allocations in its own malloc hook and sets SessionOptions::allocations.
struct AllocationCount {
  uint64_t count = 0;
  uint64_t bytes = 0;
};
using AllocationCounter = AllocationCount (*)() noexcept;

/// One row of the table: a stage. Rows are in the order in which stages first began; children follow their
/// parent.
struct TimingRow {
  std::string name;
  int depth = 0;
  uint64_t calls = 0;
  uint64_t nanoseconds = 0; ///< with the rows below it
  AllocationCount allocated;
  uint64_t self_nanoseconds = 0; ///< without them
  /// LLVM instructions of the modules before and after the stage, summed over all calls. Both 0: the stage
  /// changes no module.
  uint64_t instructions_before = 0, instructions_after = 0;
  /// The row is a wait for a lock, another thread or process: nothing was computed meanwhile.
  bool is_wait = false;
  /// Part of `nanoseconds` that was spent for jobs. Only rows of TimingReport::rows have it.
  uint64_t job_nanoseconds = 0;
};

/// How often a job's product was found in one place or made.
struct TimingLookup {
  std::string product; ///< name of the product as in `--emit`: "asm", "cubin"
  std::string answer;  ///< place: "memory", "folder", "another thread", "another process", "made"
  std::string reason;  ///< why it was made, or details of the place; may be empty
  uint64_t count = 0;
};

/// How a job got one product that was not in memory: from where, and how long it took. Times are nanoseconds
/// since the report's start.
struct TimingProduct {
  std::string product; ///< name of the product as in `--emit`: "asm", "cubin"
  std::string key;     ///< cache key of its entry, in hexadecimal: equal on all machines
  /// Source of the product. "folder": the cache's folder. "process": another process of this machine compiled
  /// it meanwhile. "remote": a remote store. "joined": a remote store, after waiting for the session that
  /// compiled it. "hedged": a remote store, faster than a compile here that had begun. "compiled": this
  /// session.
  std::string found;
  uint64_t start = 0, end = 0;
  uint64_t wait = 0;    ///< part of that time spent waiting for other processes and sessions, also in vain
  uint64_t compile = 0; ///< part of that time spent compiling, also if the compile was not used
  std::string waited_for = {}; ///< "host:4711", the session that compiled; empty: not known
};

/// A product of a job that KILN_DUMP_DIR kept.
struct TimingDump {
  std::string product; ///< name of the product as in `--emit`: "llvm", "asm"
  std::string path;    ///< absolute
};

/// Timings of one job, summed over all threads that worked on it.
struct TimingJob {
  std::string name;         ///< the call, as users write it: "f(Float32, Int64)"
  std::string target;       ///< "ptx sm_90"; empty for scopes of the embedder
  std::string config;       ///< options that differ from the defaults, as JSON: {"O": 3}; empty: none
  std::string key;          ///< cache key of the last product, in hexadecimal; empty: not known (yet)
  uint64_t calls = 0;       ///< how often the job was requested
  uint64_t nanoseconds = 0; ///< time of its threads, without their work for other jobs meanwhile
  /// Rows in depth-first order; the last row of depth 0 is "untimed". A row "other job" is work of its
  /// threads for another job. A row "assemble (share)" is the job's share of assembling several jobs at once,
  /// by the size of its PTX.
  std::vector<TimingRow> rows;
  std::vector<TimingLookup> lookups;
  std::vector<TimingProduct> products; ///< the first 64, in order of time
  /// Source file of the job's function. For a function of Kiln's library, the file of the first function of
  /// the program that it calls. Empty: not known.
  std::string file;
  uint32_t line = 0;             ///< line in `file`, from 1 on; 0: not known
  std::vector<TimingDump> dumps; ///< the first 16
};

/// A stage or a job on one thread, or a kernel on a device, from its start to its end.
struct TimingEvent {
  std::string name;    ///< TimingRow::name; empty: the job itself
  uint32_t thread = 0; ///< index into TimingTimeline::threads
  uint64_t start = 0;  ///< nanoseconds since the report's start
  uint64_t duration = 0;
  std::optional<size_t> job; ///< index into TimingReport::jobs
};

/// Single events. A report has them if TimingOptions::trace_events is set.
struct TimingTimeline {
  static constexpr size_t kept_events = 20'000;
  std::vector<std::string> threads; ///< names: "main thread", "thread 2"; the devices come last
  std::vector<TimingEvent> events;  ///< sorted by start; at most kept_events, the longest ones
  uint64_t num_dropped = 0;         ///< shorter events, and all events after the first million
};

/// A GPU kernel that was compiled, found or launched while timings were on, or a CPU kernel whose execution
/// was timed (TimingOptions::kernels). Registers and bytes are per thread, shared memory is per block.
struct TimingKernel {
  std::string name, assembler;
  uint32_t registers = 0, spilled_bytes = 0, stack_bytes = 0, shared_bytes = 0, constant_bytes = 0;
  uint64_t launches = 0; ///< 0: the fields from here to `limit` are unknown
  uint32_t threads = 0;  ///< threads of a block at the last launch
  uint64_t dynamic_shared_bytes = 0;
  double occupancy = 0; ///< resident part of a multiprocessor's warps at the last launch, 0 to 1
  std::string limit;    ///< resource that limits the occupancy: registers, shared memory, warps or blocks
  /// Elements per thread of its coarsened entry (SessionOptions::coarsen); 0: none.
  uint32_t coarse_factor = 0;
  uint64_t coarse_launches = 0; ///< number of the launches that ran the coarsened entry
  std::string job;              ///< TimingJob::name of its job; empty: the kernel was loaded from a file
  std::string key;              ///< cache key of its cubin, in hexadecimal
  uint64_t text_bytes = 0, object_bytes = 0; ///< sizes of its PTX and its cubin; 0: not known
  bool is_cpu = false; ///< a CPU kernel: only the name, `launches` and the execution times are known
  // Execution times (TimingOptions::kernels), in nanoseconds of the device's clock. The median covers the
  // last 1,000.
  uint64_t executions = 0; ///< number of timed launches that have ended; 0: the times are unknown
  uint64_t execution_total = 0, execution_min = 0, execution_median = 0, execution_max = 0;
};

/// A warning in a report, for example about a stage that multiplied the size of a job's code.
struct TimingWarning {
  std::string job, stage, text;
};

/// A piece of advice on a job's code in a timing report (kiln/advise.h).
struct TimingAdvice {
  std::string job, target; ///< TimingJob's
  std::string rule;        ///< "wide-float"
  std::string file;
  uint32_t line = 0, column = 0; ///< counted from 1; 0: not known
  std::string message, hint;     ///< what is slow; what to write instead
};
/// Rules of advice that could not run for a job, and the reason.
struct TimingNotChecked {
  std::string job, target, text; ///< "spills, occupancy: there is no assembler ..."
};

/// Identity of the process that a report describes, so that reports of many machines can be merged.
struct TimingProcess {
  std::string version, build; ///< Kiln's version; build: build_id(), empty without a session
  std::string host;
  uint64_t process = 0; ///< process number on the host
  std::string cpu;
  std::string gpu;              ///< the first GPU that a session opened; empty: none
  uint64_t start = 0;           ///< start of the report: nanoseconds since 1970, UTC, on the host's clock
  std::optional<uint32_t> rank; ///< rank in a parallel launch (MPI, SLURM); no value: unknown
  std::string cache_folder;     ///< empty: none
};

/// A snapshot of a session's timings.
struct KILN_API TimingReport {
  uint64_t wall_nanoseconds = 0; ///< wall time since the timer was started or reset
  std::vector<TimingRow> rows;   ///< in depth-first order; the last row of depth 0 is "untimed"
  bool has_allocations = false;
  std::vector<TimingKernel> kernels; ///< by name
  /// Jobs in the order of their first request. At most `kept_jobs` are separate; later ones are summed in the
  /// last entry, whose name says so.
  std::vector<TimingJob> jobs;
  std::vector<TimingWarning> warnings; ///< the first 1,000
  /// Number of threads that recorded time. Rows sum over all threads, so they may exceed the wall time.
  uint32_t threads = 0;
  std::string title; ///< title of the page and the JSON, such as a command line
  TimingProcess process;
  /// Counters of the session; no value: the report covers several sessions.
  std::optional<SessionCounters> counters;
  /// add_advice of kiln/advise.h was called on this report. The snapshot itself contains no advice.
  bool has_advice = false;
  std::vector<TimingAdvice> advice; ///< sorted by job, then by file, line and column
  std::vector<TimingNotChecked> not_checked;
  std::optional<TimingTimeline> timeline;

  static constexpr size_t kept_jobs = 1024;

  /// Makes a report of one job: its rows, kernels and warnings. Its wall time is the job's time.
  TimingReport of_job(const TimingJob &job) const;

  /// Formats the report as a table with the columns of GPUCompiler's timings: Section, ncalls, time, %tot,
  /// self, avg, alloc, %tot, avg. Below follow the jobs if there are several, the kernels, the warnings and
  /// the advice.
  std::string table() const;
  /// Formats the wall time, the untimed part, and the ten stages with the largest own time. At most 100
  /// columns.
  std::string short_table() const;
  std::string json() const; ///< docs/guide/timings.md has the versioned schema
  std::string html() const; ///< a self-contained page: needs no network and no other file
};

/// Options for recording timings.
struct TimingOptions {
  /// Record single events too, up to a million, for Session::trace and TimingReport::timeline. An event costs
  /// 32 bytes and about 70 ns.
  bool trace_events = false;
  bool passes = false; ///< a row for each LLVM pass below its stage; adds about a tenth to compile time
  /// Start of the wall time, in nanoseconds of the steady clock, such as the process's start. 0: now.
  uint64_t since = 0;
  /// Measure execution times of kernels (TimingKernel::executions). docs/guide/timings.md states the cost per
  /// launch.
  bool kernels = false;
};

/// Makes a running timer for SessionOptions::timer, which several sessions can share. `allocations` is like
/// SessionOptions::allocations.
KILN_API std::shared_ptr<Timer> make_timer(const TimingOptions &options = {},
                                           AllocationCounter allocations = nullptr);
/// Returns the report of a timer that sessions share: like Session::timings, but without kernels.
/// Thread-safe.
KILN_API TimingReport report_of(const Timer &timer);

/// State of an open scope, from Timer::enter to Timer::leave.
struct TimingToken {
  void *node = nullptr, *job_node = nullptr, *thread = nullptr;
  Timer *before = nullptr; ///< the thread's current timer when the scope began
  uint64_t start = 0;
  AllocationCount allocated;
  bool continues = false; ///< the scope continues an earlier request of the job and counts no call
};

/// A row of the embedder in the timings (Session::time, Session::time_job), which ends with the object.
/// Destroy it on the thread that made it, in reverse order of creation. May outlive the session.
class KILN_API [[nodiscard]] TimingScope {
public:
  TimingScope() = default; ///< times nothing
  TimingScope(std::shared_ptr<Timer> timer, std::string_view stage);
  /// A scope for a job: all stages of this thread until its end also count for the job.
  TimingScope(std::shared_ptr<Timer> timer, std::string_view job, std::string_view target);
  TimingScope(TimingScope &&other) noexcept = default;
  TimingScope &operator=(TimingScope &&) = delete;
  ~TimingScope() { end(); }
  void end();

private:
  std::shared_ptr<Timer> timer_; ///< null: the scope has ended or times nothing
  TimingToken token_;
  bool job_ = false;
};

} // namespace kiln::inline KILN_API_VERSION
