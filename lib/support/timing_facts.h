// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the facts that explain most of the time in a timing report, for its HTML page.
#pragma once

#include <kiln/timing.h>

#include <optional>
#include <string>
#include <vector>

namespace kiln::timing {

/// A fact that explains a part of the time in a timing report.
struct TimingFact {
  uint64_t nanoseconds = 0;
  std::string text;          ///< a sentence about the cause of this time
  std::string hint = {};     ///< how to save the time; empty: no advice
  std::string stage = {};    ///< name of the stage concerned; empty: no single stage
  std::optional<size_t> job; ///< index in TimingReport::jobs; empty: no single job
};

/// Returns the time that counts as 100 % in shares of a report. With one thread, this is the wall time. With
/// several threads, it is the recorded time of all threads, without their waits for jobs.
uint64_t whole_time(const TimingReport &report);

/// Returns at most five facts, the largest first: about stages, jobs, waits, growth of IR, cache misses and
/// untimed time. Leaves out facts below 1 % of whole_time().
std::vector<TimingFact> timing_facts(const TimingReport &report);

} // namespace kiln::timing
