// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures many launches and formats bench's report.
#pragma once

#include "progress_line.h"

#include <kiln/result.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace kiln::tool {

/// Options of bench only.
struct BenchOptions {
  uint32_t batch = 10, reps = 20, warmup = 3;
  double bytes = 0, flops = 0; ///< per launch, for rates
  bool flush_l2 = false;       ///< on a GPU
};

/// Result of bench. Times are in microseconds per launch, one per batch.
struct Measurement {
  std::string device;         ///< "the CPU", "NVIDIA H100 (sm_90)"
  uint32_t warmup = 0;        ///< launches before
  uint64_t flushed_bytes = 0; ///< written before each launch; 0: --flush-l2 is not given
  std::vector<double> kernel;
  std::vector<double> host;            ///< empty: equal to `kernel`
  std::optional<uint64_t> allocations; ///< of the launching thread in the measured part; empty: not counted
  std::optional<uint64_t> device_allocations;
};

/// Statistics of times.
struct TimeSummary {
  double median = 0, min = 0, max = 0, variation = 0; ///< variation: coefficient of variation
};
TimeSummary summary_of(std::vector<double> times);

std::string measurement_text(const BenchOptions &options, const Measurement &measured);
/// `function`: the name on the command line.
std::string measurement_json(std::string_view function, const BenchOptions &options,
                             const Measurement &measured);

/// Runs `warmup` launches on the CPU, then `reps` batches. Stops at the first error.
Result<Measurement> measure(const BenchOptions &options, const std::function<Result<void>()> &launch);

} // namespace kiln::tool
