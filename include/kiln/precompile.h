// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills the cache folder before a program runs: compiles a list of jobs, from a program's trace or made by
// the embedder, without a launch. docs/cache.md explains `kiln precompile`. Free functions; any thread.
#pragma once

#include <kiln/export.h>
#include <kiln/header_check.h>
#include <kiln/session.h>

#include <chrono>

namespace kiln::inline KILN_API_VERSION {

/// A file that a job's session loads. At debug level 1 and above its name is part of the job's key, as it is
/// part of its code: it is written as the program writes it that shall find the job.
struct PrecompileFile {
  std::string name;          ///< as Session::load_file's path
  std::string folder;        ///< in which a relative name is meant; empty: the process's own
  std::string digest;        ///< when the trace was recorded; empty: not known
  std::string language = {}; ///< language of the file; empty: Julia
  bool operator==(const PrecompileFile &) const = default;
};

/// A job with the data that another process needs to repeat it.
struct PrecompileJob {
  std::vector<PrecompileFile> files; ///< in the order in which they are loaded
  std::string call;                  ///< "f(T1, T2)"
  /// For a kernel inside a host function: names of captured values and static parameters, and expressions.
  std::vector<std::pair<std::string, std::string>> captures;
  std::string hidden_argument; ///< an expression whose type comes before the call's; empty: none
  CompilerConfig config;
  /// Object for the CPU, Cubin for a GPU (its PTX, where there is no assembler), or Assembly.
  ArtifactKind product = ArtifactKind::Object;
  Location at;               ///< its place in the list, for messages
  std::string language = {}; ///< language of the call; empty: Julia
};

/// Content of a trace or a manifest.
struct PrecompileList {
  std::vector<PrecompileJob> jobs; ///< each once
  struct Skipped {
    std::string call, why;
  };
  std::vector<Skipped> skipped;      ///< jobs that cannot be repeated in another process
  std::vector<std::string> warnings; ///< lines that could not be read
};

/// Reads a trace, which programs append to by SessionOptions::trace_jobs or KILN_TRACE_JOBS. `targets`: as
/// SessionOptions::targets of those programs. Errors: Input for a file that cannot be read, and for one
/// without a complete line of a trace (an empty file, a manifest, a trace cut off in its only line). Usage
/// for two targets of one name.
KILN_API Result<PrecompileList> read_job_trace(const std::string &path,
                                               std::span<const Target *const> targets = {});

/// The jobs of one machine of `count`; `index` counts from 1. A job's own content decides its shard. So the
/// shards of equal files are disjoint, and each job is in one.
KILN_API std::vector<PrecompileJob> shard_of(std::span<const PrecompileJob> jobs, unsigned index,
                                             unsigned count);

/// One of `count` disjoint parts of a list. `index` counts from 1.
struct Shard {
  unsigned index = 1, count = 1;
};

/// The shard of this process, from the variables of its launcher: SLURM_PROCID and SLURM_NTASKS,
/// OMPI_COMM_WORLD_RANK and _SIZE, RANK and WORLD_SIZE, or JOB_COMPLETION_INDEX of Kubernetes, which gives no
/// number of processes. `count`: that number; 0: the launcher's. Error: Usage, for a missing rank or number,
/// a value that is no number or out of range, and variables that contradict each other or `count`.
KILN_API Result<Shard> shard_of_rank(unsigned count = 0);

/// The jobs of a list for other architectures: "sm_80,sm_90a,sm_100f". Each job for ptx becomes one for each
/// of them, in their order; one for another target stays as it is. A job keeps its PTX ISA where that is new
/// enough for the architecture. Errors: Usage: a name that is no architecture's.
KILN_API Result<std::vector<PrecompileJob>> for_architectures(std::span<const PrecompileJob> jobs,
                                                              std::string_view architectures);

struct PrecompileProgress {
  size_t jobs = 0, done = 0;
  size_t hits = 0, failed = 0; ///< among those done
  size_t elsewhere = 0; ///< among those done: by other workers of the queue, also those that failed there
  size_t returned = 0;  ///< jobs of the queue that this worker took after their worker had ended
};

struct PrecompileOptions {
  SessionOptions session; ///< the folder, above all; its budgets bound the memory of each session
  unsigned threads = 0;   ///< 0: one a core
  /// Assembles several kernels for GPUs at a time, as Session::prepare_many does: for launches alone. Without
  /// it each gets a cubin of its own, for Session::compile, bundles and exports of the folder, in at least
  /// twice the time.
  bool merge = true;
  /// after each job, one call at a time, from any of the threads
  std::function<void(const PrecompileProgress &)> progress = {};
  /// A name that workers on any machines share; empty: none. Workers with the same list compile each job
  /// once together, and publish it to the first store of SessionOptions::remote. That store must have leases
  /// (docs/guide/fleet.md). 1 to 100 letters, digits, ".", "-" and "_". Kernels for GPUs are not merged.
  std::string queue = {};
  /// Time after which another worker repeats a job that its worker has not ended.
  std::chrono::seconds queue_limit{600};
};

struct PrecompileReport {
  PrecompileProgress counts;
  uint64_t made = 0;        ///< artifacts compiled or assembled: a cubin and its text are two
  size_t not_kept = 0;      ///< jobs that hold addresses of this process, and are compiled in each
  size_t not_assembled = 0; ///< jobs for a GPU that ended with their PTX: there is no assembler
  /// Entries of the artifacts made that the folder lacks now: it is full, or its budget too small. A cubin
  /// has two entries.
  size_t missing = 0;
  std::vector<std::string> changed; ///< files that have changed since the trace was recorded
  struct Failure {
    size_t job = 0; ///< in the list
    Error error;
  };
  std::vector<Failure> failures; ///< by job
  size_t alone = 0;              ///< jobs compiled without the queue, since its server did not answer
  std::string queue_fault;       ///< why; empty: the queue was there until the end
  /// Kernels for GPUs that were compiled or found, by name, while SessionOptions::timer ran; its report has
  /// none. Sessions of `precompile` have no timer of their own.
  std::vector<TimingKernel> kernels;
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Structures that a program and the library share through lists of jobs.
consteval auto precompile_structures() {
  return std::array{KILN_STRUCTURE(PrecompileOptions),  KILN_STRUCTURE(SessionOptions),
                    KILN_STRUCTURE(CompilerConfig),     KILN_STRUCTURE(PrecompileJob),
                    KILN_STRUCTURE(PrecompileFile),     KILN_STRUCTURE(PrecompileReport),
                    KILN_STRUCTURE(PrecompileProgress), KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Compiles the jobs that the folder, or SessionOptions::store, lacks. Jobs that load the same files share a
/// session; a session ends with its last job, so at most one a thread is open. Calls are read in each job's
/// language, whatever SessionOptions::language is. Errors: Usage (no folder), Machine (an unusable folder). A
/// job's errors are in the report, also a language that the options lack. Usage also for a queue with another
/// list, without a remote store, or with one that has no leases. If a queue's server does not answer for 5 s,
/// that is no error: this worker then compiles all jobs.
KILN_API Result<PrecompileReport> precompile(std::span<const PrecompileJob> jobs,
                                             const PrecompileOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<PrecompileReport> precompile(std::span<const PrecompileJob> jobs,
                                                       const PrecompileOptions &options) {
  const auto structures = detail::precompile_structures();
  return precompile(jobs, options, {KILN_VERSION, structures});
}

} // namespace kiln::inline KILN_API_VERSION
