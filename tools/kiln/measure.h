// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures launches of a kernel and formats the report of kiln bench.
#pragma once

#include "progress_line.h"

#include <kiln/result.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace kiln::tool {

/// Options of kiln bench that kiln run does not have.
struct BenchOptions {
  uint32_t batch = 10, reps = 20, warmup = 3;
  double bytes = 0, flops = 0; ///< work of a launch, to report rates; 0: no rate
  bool flush_l2 = false;       ///< evict the GPU's L2 cache before each launch
};

/// Measured times of kiln bench. `kernel` and `host` have one value per batch: microseconds per launch.
struct Measurement {
  std::string device;         ///< "the CPU", "NVIDIA H100 (sm_90)"
  uint32_t warmup = 0;        ///< number of launches before the first measured one
  uint64_t flushed_bytes = 0; ///< bytes written to evict the L2 cache before each launch; 0: no --flush-l2
  std::vector<double> kernel;
  std::vector<double> host;            ///< empty: equal to `kernel`
  std::optional<uint64_t> allocations; ///< operator new calls during measured launches; empty: unknown
  std::optional<uint64_t> device_allocations;
};

/// Statistics of times, in the unit of the times.
struct TimeSummary {
  double median = 0, min = 0, max = 0, variation = 0; ///< variation: standard deviation / mean
};
TimeSummary summary_of(const std::vector<double> &times);

std::string measurement_text(const BenchOptions &options, const Measurement &measured);
/// Formats a measurement as JSON. `function`: the kernel's name as on the command line.
std::string measurement_json(std::string_view function, const BenchOptions &options,
                             const Measurement &measured);

/// Measures launches on the CPU: calls `launch` for the warm-up, then for each batch. Stops at the first
/// error.
Result<Measurement> measure(const BenchOptions &options, const std::function<Result<void>()> &launch);

} // namespace kiln::tool
