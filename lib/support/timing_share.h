// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of rows: shared work, and growth of a module.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

namespace kiln {

inline bool is_share(const TimingRow &row) { return row.name == stage_name(Stage::AssembleShare); }

/// True if a stage multiplied a module's instructions so that the stages after it suffer. LLVM takes some
/// tens of milliseconds for a kernel of 4,000 instructions.
inline bool is_growth(uint64_t before, uint64_t after) {
  constexpr uint64_t floor = 4000, factor = 4;
  return before != 0 && after >= floor && after >= factor * before;
}

/// Shared nanoseconds of a job.
inline uint64_t share_of(const TimingJob &job) {
  uint64_t sum = 0;
  for (const TimingRow &row : job.rows)
    if (is_share(row)) sum += row.nanoseconds;
  return sum;
}

} // namespace kiln
