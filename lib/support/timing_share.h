// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared rows of a job: their work was done for several jobs together.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

namespace kiln {

inline bool is_share(const TimingRow &row) { return row.name == stage_name(Stage::AssembleShare); }

/// Shared nanoseconds of a job.
inline uint64_t share_of(const TimingJob &job) {
  uint64_t sum = 0;
  for (const TimingRow &row : job.rows)
    if (is_share(row)) sum += row.nanoseconds;
  return sum;
}

} // namespace kiln
