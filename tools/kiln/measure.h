// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures many launches and formats bench's report.
#pragma once

#include <kiln/result.h>

#include <functional>
#include <string_view>
#include <vector>

namespace kiln::tool {

/// Options of bench only.
struct BenchOptions {
  uint32_t batch = 10, reps = 20, warmup = 3;
  double bytes = 0, flops = 0; ///< per launch, for rates
  bool flush_l2 = false;       ///< on a GPU
};

double median_of(std::vector<double> times);
/// "name: median ..., min, max, coefficient of variation", from times in microseconds.
std::string time_line(std::string_view name, const std::vector<double> &times);
/// GB/s and GFLOP/s, if --bytes and --flops give the work of a launch.
std::string rate_lines(const BenchOptions &options, double microseconds);

/// Runs `warmup` launches, then `reps` batches, and returns the table of their times. Stops at the first
/// error.
Result<std::string> measure(const BenchOptions &options, const std::function<Result<void>()> &launch);

} // namespace kiln::tool
