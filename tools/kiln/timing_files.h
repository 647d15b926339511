// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of timing reports, as --timings=json writes them, and what differs between two of them.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kiln::tool {

/// What one line of a comparison is about: the whole, a stage of all jobs, a job, or a stage of a job.
struct TimedThing {
  std::string job;   ///< with its target; empty: all
  std::string stage; ///< with those it is in: "LLVM back-end > preparation"; empty: the whole of it
  bool is_wait = false;
  auto operator<=>(const TimedThing &other) const = default;
};

/// The reports of one file. A stage's time is its own, without that of the stages in it, so that what got
/// slower shows once.
struct TimingRuns {
  size_t runs = 0;
  std::map<TimedThing, std::vector<uint64_t>> times; ///< nanoseconds; a run without it has no entry
};

/// A file with a report, several one behind the other, or a list of them. Errors (Input): it cannot be read,
/// is no report, or is one of another version of the schema.
Result<TimingRuns> read_timing_runs(const std::string &path);

struct TimingChange {
  TimedThing what;
  double before = 0, after = 0; ///< the least of each file's runs, in nanoseconds: what disturbs only adds
  bool slower = false, faster = false;
};

/// `threshold`: 0.1 is 10 %. A difference counts if it is more than that, more than 0.1 ms, more than 1 % of
/// the whole, and if no run of the slower file is as good as the median of the other. The whole is always
/// there and comes first; then what changed, the largest difference first.
std::vector<TimingChange> compare_timings(const TimingRuns &before, const TimingRuns &after,
                                          double threshold);

} // namespace kiln::tool
