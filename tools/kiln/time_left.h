// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a run of precompile still takes.
#pragma once

#include <kiln/precompile.h>

#include <optional>

namespace kiln::tool {

/// One thread at a time.
class TimeLeft {
public:
  /// `threads`: that compile.
  explicit TimeLeft(unsigned threads) : threads_(threads) {}
  /// `seconds` since the run began. Nothing, as long as some thread may be in its first batch: what it has
  /// done does not count yet, though it took all the time.
  std::optional<double> after(const PrecompileProgress &progress, double seconds) {
    // Hits and other workers' jobs cost next to nothing: the rest takes as long a job as those that were
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
