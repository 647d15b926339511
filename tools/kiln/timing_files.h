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

/// The reports of one file. A stage's time excludes its inner stages, so that a slowdown appears once.
struct TimingRuns {
  size_t runs = 0;
  std::map<TimedThing, std::vector<uint64_t>> times; ///< nanoseconds; a run without the stage has no entry
};

/// Reads a file with a report, several concatenated reports, or a list. Errors (Input): an unreadable file, a
/// value that is not a report, or another schema version.
Result<TimingRuns> read_timing_runs(const std::string &path);

struct TimingChange {
  TimedThing what;
  double before = 0, after = 0; ///< minimum of each file's runs, in nanoseconds: disturbances only add time
  bool slower = false, faster = false;
};

/// Compares two files. The total is always included and comes first, then the changes by size.
///
/// A difference counts if it exceeds three bounds: `threshold` (0.1 is 10 %), 0.1 ms and 1 % of the total. In
/// addition, no run of the slower file may be as fast as the median of the other.
std::vector<TimingChange> compare_timings(const TimingRuns &before, const TimingRuns &after,
                                          double threshold);

} // namespace kiln::tool
