// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.h"

#include "alloc_counter.h"
#include "json_object.h"

#include <support/median.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace kiln::tool {

namespace {

/// Formats statistics of times in one line: "name: median ..., min, max, coefficient of variation".
std::string time_line(std::string_view name, const std::vector<double> &times) {
  const TimeSummary summary = summary_of(times);
  return fmt::format("{}: median {:.3f} us, min {:.3f}, max {:.3f}, coefficient of variation {:.3f}\n", name,
                     summary.median, summary.min, summary.max, summary.variation);
}

JsonObject time_json(const std::vector<double> &times) {
  const TimeSummary summary = summary_of(times);
  return JsonObject()
      .add("median", summary.median / 1e6)
      .add("min", summary.min / 1e6)
      .add("max", summary.max / 1e6)
      .add("coefficient_of_variation", summary.variation);
}

} // namespace

TimeSummary summary_of(const std::vector<double> &times) {
  double mean = 0, spread = 0;
  for (double time : times) mean += time / double(times.size());
  for (double time : times) spread += (time - mean) * (time - mean) / double(times.size());
  const auto [min, max] = std::ranges::minmax(times);
  return {median_of(times), min, max, std::sqrt(spread) / mean};
}

std::string measurement_text(const BenchOptions &options, const Measurement &measured) {
  const double median = summary_of(measured.kernel).median;
  std::string text = fmt::format("{} batches of {} launches on {}, after {} to warm up", options.reps,
                                 options.batch, measured.device, measured.warmup);
  if (measured.flushed_bytes)
    text += fmt::format("; {} MB written before each, so that the L2 cache holds nothing of its",
                        measured.flushed_bytes >> 20);
  text += "\n";
  if (measured.host.empty()) {
    text += time_line("kernel and host time a launch", measured.kernel);
  } else {
    text += time_line("kernel time a launch, by events", measured.kernel);
    text += time_line("host time a launch", measured.host);
  }
  if (options.bytes > 0) text += fmt::format("rate: {:.2f} GB/s\n", options.bytes / median / 1e3);
  if (options.flops > 0) text += fmt::format("rate: {:.2f} GFLOP/s\n", options.flops / median / 1e3);
  if (measured.allocations)
    text +=
        fmt::format("allocations by the launching thread in the measured part: {}\n", *measured.allocations);
  if (measured.device_allocations)
    text +=
        fmt::format("allocations of device memory in the measured part: {}\n", *measured.device_allocations);
  return text;
}

std::string measurement_json(std::string_view function, const BenchOptions &options,
                             const Measurement &measured) {
  const double seconds = summary_of(measured.kernel).median / 1e6;
  JsonObject out;
  out.add("function", function)
      .add("device", measured.device)
      .add("batch", options.batch)
      .add("reps", options.reps)
      .add("warmup", measured.warmup)
      .add("kernel_seconds", time_json(measured.kernel))
      .add("host_seconds", time_json(measured.host.empty() ? measured.kernel : measured.host));
  if (options.bytes > 0) out.add("bytes_per_second", options.bytes / seconds);
  if (options.flops > 0) out.add("flops_per_second", options.flops / seconds);
  if (measured.flushed_bytes) out.add("flushed_bytes", measured.flushed_bytes);
  if (measured.allocations) out.add("allocations", *measured.allocations);
  if (measured.device_allocations) out.add("device_allocations", *measured.device_allocations);
  return out.line();
}

Result<Measurement> measure(const BenchOptions &options, const std::function<Result<void>()> &launch) {
  ProgressLine progress("measuring");
  for (uint32_t i = 0; i < options.warmup; i++) KILN_CHECK(launch());
  Measurement measured{.device = "the CPU", .warmup = options.warmup};
  // A launch on the CPU returns after the kernel's end, so `host` stays empty: it equals `kernel`.
  measured.kernel.resize(options.reps);
  AllocationCounter allocations = allocation_counter();
  uint64_t before = allocations ? allocations().count : 0;
  for (uint32_t rep = 0; rep < options.reps; rep++) {
    progress.count(rep, options.reps);
    auto start = std::chrono::steady_clock::now();
    for (uint32_t i = 0; i < options.batch; i++) KILN_CHECK(launch());
    measured.kernel[rep] =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
        options.batch;
  }
  if (allocations) measured.allocations = allocations().count - before;
  return measured;
}

} // namespace kiln::tool
