// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result of kiln precompile, as text and as JSON.
#pragma once

#include <kiln/job_list.h>
#include <kiln/precompile.h>
#include <kiln/timing.h>

namespace kiln::tool {

/// Facts of a run that the report of the library lacks.
struct PrecompileSummary {
  const PrecompileReport &report;
  const std::vector<PrecompileJob> &jobs;
  TimingReport timings;
  std::string folder;
  size_t skipped = 0; ///< jobs of the list that cannot be repeated
  double seconds = 0;
  bool is_queue = false, is_interrupted = false;
};

/// "17 jobs: 0 were there, 17 compiled, 0 failed"
std::string counts_text(const PrecompileSummary &summary);
/// Seconds, bytes, and the slowest jobs as a table that fits into `width` columns.
std::string costs_text(const PrecompileSummary &summary, size_t width);
std::string summary_json(const PrecompileSummary &summary);

} // namespace kiln::tool
