// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates the remaining time of a kiln precompile run.
#pragma once

#include <kiln/precompile.h>

#include <optional>

namespace kiln::tool {

/// Estimates the remaining time from the progress so far. Not thread-safe.
class TimeLeft {
public:
  /// `threads`: number of compiling threads.
  explicit TimeLeft(unsigned threads) : threads_(threads) {}
  /// Returns the estimate in seconds. `seconds`: time since the run began. Empty, until as many batches of
  /// jobs are finished as there are threads. Earlier, unfinished batches would distort the estimate.
  std::optional<double> after(const PrecompileProgress &progress, double seconds) {
    // Cache hits and jobs that other processes compile take almost no time here. Assume that each remaining
    // job takes as long as a job compiled so far.
    const size_t compiled = progress.done - progress.hits - progress.elsewhere;
    batches_ += compiled > compiled_;
    compiled_ = compiled;
    if (batches_ < threads_ || compiled == 0) return std::nullopt;
    return seconds / double(compiled) * double(progress.jobs - progress.done);
  }

private:
  const unsigned threads_;
  size_t batches_ = 0, compiled_ = 0;
};

} // namespace kiln::tool
