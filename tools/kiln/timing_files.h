// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads files of timing reports (--timings=json) and compares them.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kiln::tool {

/// Subject of one line of a comparison: the total, a stage of all jobs, a job, or a stage of a job.
struct TimedThing {
  std::string job;   ///< with its target; empty: all jobs
  std::string stage; ///< with its outer stages: "LLVM back-end > preparation"; empty: the total
  bool is_wait = false;
  auto operator<=>(const TimedThing &other) const = default;
};

/// Measurements of each row, one per run. A run without the row has no entry.
using TimingSeries = std::map<TimedThing, std::vector<uint64_t>>;

/// The reports of one file. A stage's time excludes its inner stages, so that a slowdown appears once.
struct TimingRuns {
  size_t runs = 0;
  TimingSeries times;        ///< nanoseconds
  TimingSeries instructions; ///< LLVM instructions that a stage leaves in its modules
};

/// Reads a file with a report, several concatenated reports, or a list. Errors (Input): an unreadable file, a
/// value that is not a report, or another schema version.
Result<TimingRuns> read_timing_runs(const std::string &path);

/// A row whose measurements differ.
struct TimingChange {
  TimedThing what;
  double before = 0, after = 0; ///< minimum of each file's runs: disturbances only add time
  bool grew = false, shrank = false;
};

/// Differences between two files. Each list is sorted by the size of the change.
struct TimingComparison {
  TimingChange total;                     ///< wall time, nanoseconds
  std::vector<TimingChange> times;        ///< nanoseconds
  std::vector<TimingChange> instructions; ///< LLVM instructions
};

/// Smallest relative changes that count: 0.1 is 10 %.
struct TimingThresholds {
  double time = 0.1;
  double instructions = 0.05;
};

/// Compares two files of runs.
///
/// A difference in time counts if the minima differ by more than the threshold, 0.1 ms, and 1 % of the total
/// (3 % for a row). The runs must agree too: the fastest run of the slower file must be slower than the other
/// file's median. For a row, it must be slower than all runs of the other file, since a report has dozens of
/// rows. A difference in instructions counts if it exceeds the threshold.
TimingComparison compare_timings(const TimingRuns &before, const TimingRuns &after,
                                 const TimingThresholds &thresholds);

} // namespace kiln::tool
