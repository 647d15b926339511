// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launches.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace kiln {

namespace {

constexpr uint32_t max_launches = 1000; ///< per sample

Error too_long(std::chrono::nanoseconds limit) {
  return make_error(ErrorCode::TimeLimitError, fmt::format("a launch did not end within {} s",
                                                           std::chrono::duration<double>(limit).count()));
}

} // namespace

bool is_device_lost(const Error &error, const Device &device) {
  if (!device.is_gpu()) return false;
  return error.code() == ErrorCode::TimeLimitError || error.code() == ErrorCode::DeviceError;
}

/// Waits for an event. On a GPU only the kernel itself can end, so this polls and gives up after the time
/// limit.
Result<void> TunedLaunches::wait(const Event &event) {
  if (arrays_.device().is_gpu() && time_limit_.count() > 0) {
    const auto until = std::chrono::steady_clock::now() + time_limit_;
    auto pause = std::chrono::microseconds(0);
    while (!event.done()) {
      if (std::chrono::steady_clock::now() > until) return too_long(time_limit_);
      if (pause.count() > 20) std::this_thread::sleep_for(pause); // no sleep for short kernels
      pause = std::min(pause + std::chrono::microseconds(1), std::chrono::microseconds(1000));
    }
  }
  return arrays_.stream().synchronize();
}

Result<double> TunedLaunches::once(const LaunchableKernel &kernel) { return batch(kernel, 1); }

Result<void> TunedLaunches::once_limited(const LaunchableKernel &kernel) {
  Stream &stream = arrays_.stream();
  KILN_CHECK(stream.launch(kernel.kernel, kernel.shape, kernel.arguments, {.time_limit = time_limit_}));
  return stream.synchronize();
}

Result<double> TunedLaunches::batch(const LaunchableKernel &kernel, uint32_t launches) {
  Stream &stream = arrays_.stream();
  KILN_CHECK(stream.record(begin_));
  for (uint32_t i = 0; i < launches; i++)
    KILN_CHECK(stream.launch(kernel.kernel, kernel.shape, kernel.arguments));
  KILN_CHECK(stream.record(end_));
  KILN_CHECK(wait(end_));
  KILN_TRY(auto time, Event::between(begin_, end_));
  return std::max(1.0, double(time.count())) / launches;
}

/// Measures launches with an L2 cache that contains none of the kernel's data.
Result<double> TunedLaunches::flushed(const LaunchableKernel &kernel, uint32_t launches) {
  Stream &stream = arrays_.stream();
  if (!flush_.bytes()) {
    KILN_TRY(flush_,
             stream.allocate(2 * std::max<uint64_t>(arrays_.device().limits().l2_bytes, uint64_t(1) << 20)));
  }
  std::vector<double> times;
  for (uint32_t i = 0; i < launches; i++) {
    KILN_CHECK(stream.fill(flush_.data(), uint8_t(i), flush_.bytes()));
    KILN_TRY(const double time, batch(kernel, 1));
    times.push_back(time);
  }
  std::ranges::nth_element(times, times.begin() + ptrdiff_t(times.size() / 2));
  return times[times.size() / 2];
}

Result<double> TunedLaunches::sample(const LaunchableKernel &kernel, double known, double target) {
  const double count = known > 0 ? target / known : 1;
  const auto launches = uint32_t(std::clamp(count, 1.0, double(max_launches)));
  if (flush_l2_) return flushed(kernel, std::min(launches, 16U));
  if (launches > 1) KILN_CHECK(batch(kernel, 1)); // warm-up: caches hold the kernel's own data
  return batch(kernel, launches);
}

} // namespace kiln
