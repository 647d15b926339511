// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiling: fills the cache's folder before a program runs, by compiling a list of jobs without launching
// them. The list comes from a trace of a program's jobs, from a manifest, or from the embedder. docs/cache.md
// describes `kiln precompile`, which uses this header. Any thread may call these functions.
#pragma once

#include <kiln/export.h>
#include <kiln/header_check.h>
#include <kiln/session.h>
#include <kiln/stop.h>

#include <chrono>

namespace kiln::inline KILN_API_VERSION {

/// A source file that a job's session loads. From debug level 1 on, the name is part of the job's code and
/// cache key. It must therefore be written exactly as in the program that later uses the cache.
struct PrecompileFile {
  std::string name;          ///< path as passed to Session::load_file
  std::string folder;        ///< folder for a relative name; empty: the working folder
  std::string digest;        ///< digest of the content when the trace was recorded; empty: unknown
  std::string language = {}; ///< language of the file; empty: Julia
  bool operator==(const PrecompileFile &) const = default;
};

/// A job in a form that another process can compile: files, call and config.
struct PrecompileJob {
  std::vector<PrecompileFile> files; ///< source files, in the order in which they are loaded
  std::string call;                  ///< "f(T1, T2)"
  /// For a kernel inside a host function: its captured variables and static parameters, as pairs of name and
  /// expression.
  std::vector<std::pair<std::string, std::string>> captures;
  std::string hidden_argument; ///< expression of a hidden first argument (iteration_space); empty: none
  CompilerConfig config;
  /// Object for the CPU, Cubin for a GPU (PTX if there is no assembler), or Assembly.
  ArtifactKind product = ArtifactKind::Object;
  Location at;               ///< place of the entry in its file, for messages
  std::string language = {}; ///< language of the call; empty: Julia
};

/// Content of a trace or a manifest.
struct PrecompileList {
  std::vector<PrecompileJob> jobs; ///< each once
  struct Skipped {
    std::string call, why;
  };
  std::vector<Skipped> skipped;      ///< jobs that cannot be compiled in another process, with the reason
  std::vector<std::string> warnings; ///< one warning for each line that could not be read
};

/// Reads a trace: the file to which programs append their jobs (SessionOptions::trace_jobs, KILN_TRACE_JOBS).
/// `targets` must be SessionOptions::targets of those programs. Errors: Input for an unreadable file, or one
/// without a complete trace line (empty, a manifest, or truncated in its only line); Usage for two targets of
/// the same name.
KILN_API Result<PrecompileList> read_job_trace(const std::string &path,
                                               std::span<const Target *const> targets = {});

/// Returns shard `index` (from 1) of `count` shards of a list: the jobs for one of several machines. A job's
/// content determines its shard. The shards of equal lists are disjoint and together hold every job.
KILN_API std::vector<PrecompileJob> shard_of(std::span<const PrecompileJob> jobs, unsigned index,
                                             unsigned count);

/// One of `count` disjoint parts of a list. `index` counts from 1.
struct Shard {
  unsigned index = 1, count = 1;
};

/// Returns the shard of this process, from environment variables of a parallel launcher: SLURM_PROCID and
/// SLURM_NTASKS, OMPI_COMM_WORLD_RANK and _SIZE, RANK and WORLD_SIZE, or JOB_COMPLETION_INDEX of Kubernetes,
/// which sets no number of processes. `count` is the number of processes; 0: the number that the launcher
/// set. Error: Usage if no rank is set, a value is no number or out of range, the number of processes is
/// unknown, or variables contradict each other or `count`.
KILN_API Result<Shard> shard_of_rank(unsigned count = 0);

/// Repeats each job for ptx for every given architecture, in order: "sm_80,sm_90a,sm_100f". Jobs for other
/// targets stay as they are. A job keeps its PTX ISA version if that is new enough for the architecture.
/// Error: Usage for an unknown architecture.
KILN_API Result<std::vector<PrecompileJob>> for_architectures(std::span<const PrecompileJob> jobs,
                                                              std::string_view architectures);

struct PrecompileProgress {
  size_t jobs = 0, done = 0;
  size_t hits = 0, failed = 0; ///< among those done
  size_t elsewhere = 0;        ///< jobs done by other processes of the queue, failed ones included
  size_t returned = 0;         ///< jobs of the queue taken over from processes that had ended
};

struct PrecompileOptions {
  SessionOptions session; ///< options of each session, with the cache's folder; its budgets limit memory
  unsigned threads = 0;   ///< 0: one a core
  /// Assemble several GPU kernels into one cubin, like Session::prepare_many. Such cubins serve launches
  /// only. False: each kernel gets its own cubin, as Session::compile, bundles and exports of the folder
  /// need. That takes at least twice as long.
  bool merge = true;
  /// Receives the progress after each job, one call at a time, on any of the threads.
  std::function<void(const PrecompileProgress &)> progress = {};
  /// Name of a work queue of precompiling processes on several machines; empty: no queue. The processes need
  /// the same list of jobs, and together compile each job once. Results go to the first store of
  /// SessionOptions::remote, which must support leases (docs/guide/fleet.md). A name has 1 to 100 letters,
  /// digits, ".", "-" and "_". `merge` then has no effect.
  std::string queue = {};
  /// Time after which another process of the queue takes over an unfinished job.
  std::chrono::seconds queue_limit{600};
  /// Ends the run early: jobs that have begun are finished, the others are left out. Null: none. Must outlive
  /// the call.
  const StopSource *stop = nullptr;
};

struct PrecompileReport {
  PrecompileProgress counts;
  uint64_t made = 0;        ///< number of artifacts made; a cubin and its PTX count as two
  uint64_t bytes = 0;       ///< size of their entries
  size_t not_kept = 0;      ///< jobs whose code contains addresses of this process and so cannot be cached
  size_t not_assembled = 0; ///< jobs for a GPU that have PTX but no cubin, since there is no assembler
  /// Entries of new artifacts that the folder no longer holds: the disk is full or the budget too small. A
  /// cubin has two entries.
  size_t missing = 0;
  std::vector<std::string> changed; ///< source files that changed since the trace was recorded
  struct Failure {
    size_t job = 0; ///< in the list
    Error error;
  };
  std::vector<Failure> failures; ///< by job
  size_t alone = 0;              ///< jobs compiled without the queue, since its server did not answer
  std::string queue_fault;       ///< why the queue's server did not answer; empty: it answered until the end
  /// GPU kernels that were compiled or found, sorted by name. Only filled if SessionOptions::timer is set;
  /// the report of that timer holds no kernels.
  std::vector<TimingKernel> kernels;
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Sizes of the structures that programs and libkiln exchange through precompile(). The library compares them
/// to detect headers of another version.
consteval auto precompile_structures() {
  return std::array{KILN_STRUCTURE(PrecompileOptions),  KILN_STRUCTURE(SessionOptions),
                    KILN_STRUCTURE(CompilerConfig),     KILN_STRUCTURE(PrecompileJob),
                    KILN_STRUCTURE(PrecompileFile),     KILN_STRUCTURE(PrecompileReport),
                    KILN_STRUCTURE(PrecompileProgress), KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Compiles the jobs whose products the cache's folder, or SessionOptions::store, does not hold. Jobs with
/// the same files share a session, which closes after its last job; at most one session per thread is open.
/// Calls are read in each job's language; SessionOptions::language has no effect. Errors: Usage (no folder; a
/// queue with another list, without a remote store, or whose store has no leases), Machine (unusable folder).
/// Errors of jobs are in the report, unknown languages included. If the queue's server does not answer for 5
/// s, this process compiles all jobs itself.
KILN_API Result<PrecompileReport> precompile(std::span<const PrecompileJob> jobs,
                                             const PrecompileOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<PrecompileReport> precompile(std::span<const PrecompileJob> jobs,
                                                       const PrecompileOptions &options) {
  const auto structures = detail::precompile_structures();
  return precompile(jobs, options, {KILN_VERSION, structures});
}

} // namespace kiln::inline KILN_API_VERSION
