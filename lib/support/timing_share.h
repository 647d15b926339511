// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies rows of a timing report: a job's share of work for several jobs, and stages that multiplied the
// code of a module.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

namespace kiln {

inline bool is_share(const TimingRow &row) { return row.name == stage_name(Stage::AssembleShare); }

/// Returns true if a stage increased a module's LLVM instructions so much that later stages become slow. LLVM
/// needs tens of milliseconds for a kernel of 4,000 instructions.
inline bool is_growth(uint64_t before, uint64_t after) {
  constexpr uint64_t floor = 4000, factor = 4;
  return before != 0 && after >= floor && after >= factor * before;
}

/// Returns a job's share, in nanoseconds, of assembling several kernels together.
inline uint64_t share_of(const TimingJob &job) {
  uint64_t sum = 0;
  for (const TimingRow &row : job.rows)
    if (is_share(row)) sum += row.nanoseconds;
  return sum;
}

} // namespace kiln
