// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares two files of timing reports (--timings=json), for kiln timings diff.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kiln::tool {

/// Identifies a row of the comparison table: the total, a stage of all jobs, a job, or a stage of a job.
struct TimedThing {
  std::string job;   ///< name, target and config of a job; empty: all jobs
  std::string stage; ///< path of a stage: "LLVM back-end > preparation"; empty: the total
  bool is_wait = false;
  auto operator<=>(const TimedThing &other) const = default;
};

/// Measurements of each row of the table, one for each report that has the row.
using TimingSeries = std::map<TimedThing, std::vector<uint64_t>>;

/// Measurements from all reports of one file. The time of a stage excludes nested stages, so that a slowdown
/// appears in one row only.
struct TimingRuns {
  size_t runs = 0;
  TimingSeries times;        ///< nanoseconds
  TimingSeries instructions; ///< number of LLVM instructions after a stage
};

/// Reads a file with one timing report, several concatenated ones, or a JSON array of reports. Errors
/// (Input): an unreadable file, a value that is no report, or another schema version.
Result<TimingRuns> read_timing_runs(const std::string &path);

/// Comparison of one row between two files.
struct TimingChange {
  TimedThing what;
  double before = 0, after = 0; ///< each file's minimum: disturbances only add time
  bool grew = false, shrank = false;
};

/// Differences between two files of reports. Both lists have the largest change first.
struct TimingComparison {
  std::vector<TimingChange> times;        ///< nanoseconds; the total wall time comes before all others
  std::vector<TimingChange> instructions; ///< LLVM instructions
};

/// Minimum relative changes that count as a difference. 0.1 means 10 %.
struct TimingThresholds {
  double time = 0.1;
  double instructions = 0.05;
};

/// Compares the measurements of two files, each of one or several runs.
///
/// A difference in time counts if the files' minima differ by more than the threshold, 0.1 ms, and 1 % of the
/// total (3 % for a row). In addition, the slower file's fastest run must be slower than the other file's
/// median. For a row, that fastest run must be slower than all runs of the other file, since a report has
/// dozens of rows. A difference in instructions counts if it exceeds the threshold and the two files' ranges
/// do not overlap.
TimingComparison compare_timings(const TimingRuns &before, const TimingRuns &after,
                                 const TimingThresholds &thresholds);

} // namespace kiln::tool
