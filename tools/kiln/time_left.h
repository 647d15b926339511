// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates the remaining time of precompile.
#pragma once

#include <kiln/precompile.h>

#include <optional>

namespace kiln::tool {

/// Not thread-safe.
class TimeLeft {
public:
  /// `threads`: number of compiling threads.
  explicit TimeLeft(unsigned threads) : threads_(threads) {}
  /// `seconds`: time since the run began. Empty until every thread may have finished a batch: unfinished
  /// batches take time but do not count as done.
  std::optional<double> after(const PrecompileProgress &progress, double seconds) {
    // Hits and other workers' jobs cost almost nothing. Assume that the remaining jobs take as long as those
    // compiled so far.
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
