// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats the summary that kiln precompile prints, as text and as JSON.
#pragma once

#include <kiln/job_list.h>
#include <kiln/precompile.h>
#include <kiln/timing.h>

namespace kiln::tool {

/// Contents of the summary: the library's PrecompileReport, and facts that only the command knows.
struct PrecompileSummary {
  const PrecompileReport &report;
  const std::vector<PrecompileJob> &jobs;
  TimingReport timings;
  std::string folder;
  size_t skipped = 0; ///< number of jobs in the list that cannot be compiled again
  double seconds = 0;
  bool is_queue = false, is_interrupted = false;
};

/// Counts the jobs by result: "17 jobs: 0 were there, 17 compiled, 0 failed".
std::string counts_text(const PrecompileSummary &summary);
/// Describes the cost of the run: its time in seconds, the bytes written, and a table of the slowest jobs
/// with at most `width` columns of text.
std::string costs_text(const PrecompileSummary &summary, size_t width);
std::string summary_json(const PrecompileSummary &summary);

} // namespace kiln::tool
