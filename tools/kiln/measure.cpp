// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.h"

#include "alloc_counter.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace kiln::tool {

double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  size_t half = times.size() / 2;
  return times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
}

std::string time_line(std::string_view name, const std::vector<double> &times) {
  double mean = 0, spread = 0;
  for (double time : times) mean += time / double(times.size());
  for (double time : times) spread += (time - mean) * (time - mean) / double(times.size());
  auto [min, max] = std::minmax_element(times.begin(), times.end());
  return fmt::format("{}: median {:.3f} us, min {:.3f}, max {:.3f}, coefficient of variation {:.3f}\n", name,
                     median_of(times), *min, *max, std::sqrt(spread) / mean);
}

std::string rate_lines(const BenchOptions &options, double microseconds) {
  std::string text;
  if (options.bytes > 0) text += fmt::format("rate: {:.2f} GB/s\n", options.bytes / microseconds / 1e3);
  if (options.flops > 0) text += fmt::format("rate: {:.2f} GFLOP/s\n", options.flops / microseconds / 1e3);
  return text;
}

Result<std::string> measure(const BenchOptions &options, const std::function<Result<void>()> &launch) {
  for (uint32_t i = 0; i < options.warmup; i++) KILN_CHECK(launch());
  std::vector<double> times(options.reps); // microseconds per launch
  AllocationCounter allocations = allocation_counter();
  uint64_t before = allocations ? allocations().count : 0;
  for (double &time : times) {
    auto start = std::chrono::steady_clock::now();
    for (uint32_t i = 0; i < options.batch; i++) KILN_CHECK(launch());
    time = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
           options.batch;
  }
  uint64_t made = allocations ? allocations().count - before : 0;

  std::string text = fmt::format("{} batches of {} launches on the CPU, after {}\n", options.reps,
                                 options.batch, options.warmup);
  // A CPU launch returns when its kernel is done, so kernel time equals host time.
  text += time_line("kernel and host time a launch", times);
  text += rate_lines(options, median_of(times));
  if (allocations)
    text += fmt::format("allocations by the launching thread in the measured part: {}\n", made);
  return text;
}

} // namespace kiln::tool
