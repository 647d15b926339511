// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times of many launches, and what bench says about them.
#pragma once

#include <kiln/result.h>

#include <functional>
#include <string_view>
#include <vector>

namespace kiln::tool {

/// Of bench alone.
struct BenchOptions {
  uint32_t batch = 10, reps = 20, warmup = 3;
  double bytes = 0, flops = 0; ///< of a launch, for rates
  bool flush_l2 = false;       ///< on a GPU
};

// Of times in microseconds.
double median_of(std::vector<double> times);
/// "name: median ..., min, max, coefficient of variation"
std::string time_line(std::string_view name, const std::vector<double> &times);
/// GB/s and GFLOP/s, where --bytes and --flops say what a launch does.
std::string rate_lines(const BenchOptions &options, double microseconds);

/// Launches reps batches, after `warmup` launches, and gives the table of their times. The first error ends
/// it.
Result<std::string> measure(const BenchOptions &options, const std::function<Result<void>()> &launch);

} // namespace kiln::tool
