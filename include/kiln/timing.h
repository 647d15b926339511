// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing report of a session: its wall time by stage and by job. Every stage of every job is timed at one
// place (the pipeline's run_stage) or by a scope. Time outside all stages is 'untimed'. docs/guide/timings.md
// explains it.
//
// Times are nanoseconds of the steady clock. A report is a value, owned by the caller.
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

/// Allocation counters of the calling thread. The library never replaces operator new: a program that
/// wants these columns counts in its own malloc hook and registers it (see set_allocation_counter).
struct AllocationCount {
  uint64_t count = 0;
  uint64_t bytes = 0;
};
using AllocationCounter = AllocationCount (*)() noexcept;

/// One row of the table, in the order stages were first entered; children follow their parent.
struct TimingRow {
  std::string name;
  int depth = 0;
  uint64_t calls = 0;
  uint64_t nanoseconds = 0; ///< with the rows below it
  AllocationCount allocated;
  uint64_t self_nanoseconds = 0; ///< without them
  /// LLVM instructions of the module before and after, of all calls; both 0: the stage changes no module.
  uint64_t instructions_before = 0, instructions_after = 0;
  bool is_wait = false; ///< for a lock, another thread or process: nothing was computed meanwhile
};

/// Origin of a product of a job.
struct TimingLookup {
  std::string product; ///< as `--emit` has it: "asm", "cubin"
  std::string answer;  ///< "memory", "folder", "another thread", "another process", "made"
  std::string reason;  ///< why it was made, or where the answer lay; may be empty
  uint64_t count = 0;
};

/// Way of one product that was not in memory to its job. Times are nanoseconds since the report's start.
struct TimingProduct {
  std::string product; ///< as `--emit` has it: "asm", "cubin"
  std::string key;     ///< of its entry, in hexadecimal: the same on all machines
  /// "folder"; "process": another process of the machine made it meanwhile; "remote"; "joined": remote, after
  /// a wait for the session that compiled it; "hedged": remote, faster than the compile that had begun;
  /// "compiled".
  std::string found;
  uint64_t start = 0, end = 0;
  uint64_t wait = 0;           ///< part spent waiting for other processes and sessions, also in vain
  uint64_t compile = 0;        ///< part spent compiling, also if another result came first
  std::string waited_for = {}; ///< "host:4711", the session that compiled; empty: not known
};

/// Times of one job, on all its threads.
struct TimingJob {
  std::string name;   ///< spelled as users do: "f(Float32, Int64)"
  std::string target; ///< "ptx sm_90"; empty for scopes of the embedder's
  std::string config; ///< options that are not the default ones, as JSON: {"O": 3}; empty: there are none
  std::string key;    ///< of the last product in hexadecimal; empty: not known (yet)
  uint64_t calls = 0; ///< number of requests
  uint64_t nanoseconds = 0; ///< without work of its threads for other jobs
  /// Depth first; the last row of depth 0 is "untimed". A row "other job" is work of its threads for another
  /// job. A row "assemble (share)" is the job's share of assembling several at once, by the size of its text.
  std::vector<TimingRow> rows;
  std::vector<TimingLookup> lookups;
  std::vector<TimingProduct> products; ///< the first 64, in the order in which they came
};

/// A kernel for a GPU that was compiled, found or launched while the timer was on, or one of the CPU that was
/// timed (TimingOptions::kernels). Bytes and registers of a thread, but shared memory of a block.
struct TimingKernel {
  std::string name, assembler;
  uint32_t registers = 0, spilled_bytes = 0, stack_bytes = 0, shared_bytes = 0, constant_bytes = 0;
  uint64_t launches = 0; ///< 0: the following fields are unknown
  uint32_t threads = 0;  ///< of a block, at the last launch
  uint64_t dynamic_shared_bytes = 0;
  double occupancy = 0;         ///< of a multiprocessor's warps, at the last launch: 0 to 1
  std::string limit;            ///< the limiting resource: registers, shared memory, warps or blocks
  uint32_t coarse_factor = 0;   ///< elements a thread of its coarse entry (SessionOptions::coarsen) ...
  uint64_t coarse_launches = 0; ///< ... and the number of launches that ran it
  std::string job;              ///< TimingJob::name; empty: it came as a file
  std::string key;              ///< of its cubin, in hexadecimal
  uint64_t text_bytes = 0, object_bytes = 0; ///< of its PTX and its cubin; 0: not known
  bool is_cpu = false; ///< a kernel of the CPU: only the name, `launches` and later fields are known
  // Execution (TimingOptions::kernels), in nanoseconds of the device's clock. The median is of the last
  // 1,000.
  uint64_t executions = 0; ///< timed executions that have ended; 0: the following fields are unknown
  uint64_t execution_total = 0, execution_min = 0, execution_median = 0, execution_max = 0;
};

/// A warning in a report: a stage that multiplied a job's code.
struct TimingWarning {
  std::string job, stage, text;
};

/// One thing that makes a job's code slow (kiln/advise.h).
struct TimingAdvice {
  std::string job, target; ///< TimingJob's
  std::string rule;        ///< "wide-float"
  std::string file;
  uint32_t line = 0, column = 0; ///< from 1 on; 0: not known
  std::string message, hint;     ///< the slow part; the replacement
};
/// Rules that could not run for a job, with the reason.
struct TimingNotChecked {
  std::string job, target, text; ///< "spills, occupancy: there is no assembler ..."
};

/// Identity of the process that a report is about, so that reports of a fleet can be merged.
struct TimingProcess {
  std::string version, build; ///< of Kiln; build: build_id(), empty without a session
  std::string host;
  uint64_t process = 0; ///< its number on the host
  std::string cpu;
  std::string gpu;              ///< the first GPU that a session opened; empty: none
  uint64_t start = 0;           ///< of the report: nanoseconds since 1970, UTC, on the host's clock
  std::optional<uint32_t> rank; ///< in the job of its launcher; empty: unknown
  std::string cache_folder;     ///< empty: none
};

/// A snapshot of a session's timer.
struct KILN_API TimingReport {
  uint64_t wall_nanoseconds = 0; ///< since the timer was started or reset, on the starting thread
  std::vector<TimingRow> rows;   ///< depth first; the last row of depth 0 is "untimed"
  bool has_allocations = false;
  std::vector<TimingKernel> kernels; ///< by name
  /// Jobs in the order of their first request. The first `kept_jobs` are listed singly; the last entry sums
  /// up all later ones and has a name that says so.
  std::vector<TimingJob> jobs;
  std::vector<TimingWarning> warnings; ///< the first 1,000
  /// Threads that recorded anything. Rows add up all of them, so with more than one they may exceed the wall.
  uint32_t threads = 0;
  std::string title; ///< title of the page and the JSON, such as a command line
  TimingProcess process;
  std::optional<SessionCounters> counters; ///< counters of the session; empty for a timer of several sessions
  /// Somebody looked for advice (add_advice of kiln/advise.h); the snapshot itself has none.
  bool has_advice = false;
  std::vector<TimingAdvice> advice; ///< in the order of the jobs; of one by file, line and column
  std::vector<TimingNotChecked> not_checked;

  static constexpr size_t kept_jobs = 1024;

  /// The report of one job alone: its rows, kernels and warnings. The wall time is the job's.
  TimingReport of_job(const TimingJob &job) const;

  /// Section, ncalls, time, %tot, self, avg, alloc, %tot, avg: the layout known from GPUCompiler; below it
  /// the jobs if there are several, the kernels, the warnings and the advice.
  std::string table() const;
  std::string json() const; ///< its schema, with a version, is in docs/guide/timings.md
  std::string html() const; ///< a page that needs nothing else: no network, no other file
};

/// Options of the timer.
struct TimingOptions {
  bool trace_events = false; ///< keep single events too (Session::trace), the first million
  bool passes = false;       ///< a row for each of LLVM's passes, below the stage; costs about a tenth more
  /// Start of the report on the steady clock, in nanoseconds (a process's start, for example). 0: now.
  uint64_t since = 0;
  /// Measures run times of kernels (TimingKernel::executions): docs/guide/timings.md has the cost a launch.
  bool kernels = false;
};

/// A clock for SessionOptions::timer, already running. `allocations` counts as SessionOptions::allocations.
KILN_API std::shared_ptr<Timer> make_timer(const TimingOptions &options = {},
                                           AllocationCounter allocations = nullptr);
/// The report of a clock of several sessions: all of Session::timings but the kernels. Thread-safe.
KILN_API TimingReport report_of(const Timer &timer);

/// Result of Timer::enter, for Timer::leave.
struct TimingToken {
  void *node = nullptr, *job_node = nullptr, *thread = nullptr;
  Timer *before = nullptr; ///< the thread's timer before the scope
  uint64_t start = 0;
  AllocationCount allocated;
  bool continues = false; ///< for a job: an earlier request continues, so it counts no call
};

/// A row of the embedder's own, from Session::time or Session::time_job to the end of its life. It ends on
/// the thread that made it, after those made later on it. May outlive the session.
class KILN_API [[nodiscard]] TimingScope {
public:
  TimingScope() = default; ///< times nothing
  TimingScope(std::shared_ptr<Timer> timer, std::string_view stage);
  /// All that is timed on this thread meanwhile counts for this job too.
  TimingScope(std::shared_ptr<Timer> timer, std::string_view job, std::string_view target);
  TimingScope(TimingScope &&other) noexcept = default;
  TimingScope &operator=(TimingScope &&) = delete;
  ~TimingScope() { end(); }
  void end();

private:
  std::shared_ptr<Timer> timer_; ///< null: it has ended
  TimingToken token_;
  bool job_ = false;
};

} // namespace kiln::inline KILN_API_VERSION
