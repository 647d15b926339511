// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that explain most of a report's time.
#pragma once

#include <kiln/timing.h>

#include <optional>
#include <string>
#include <vector>

namespace kiln::timing {

struct TimingFact {
  uint64_t nanoseconds = 0;
  std::string text;          ///< a sentence, without the time
  std::string hint = {};     ///< what to do; empty: nothing
  std::string stage = {};    ///< TimingRow's; empty: not of one stage
  std::optional<size_t> job; ///< index into TimingReport::jobs
};

/// Time that shares of a report refer to: the wall time, or with several threads what all of them recorded
/// without their waits for jobs.
uint64_t whole_time(const TimingReport &report);

/// At most five facts, the largest first: stages, jobs, waits, growth of IR, cache misses, untimed time. None
/// is below a hundredth of the whole time.
std::vector<TimingFact> timing_facts(const TimingReport &report);

} // namespace kiln::timing
