// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of candidates and their times, by the device's clock.
#pragma once

#include "arrays.h"

namespace kiln {

/// A candidate that can be launched.
struct LaunchableKernel {
  Kernel kernel;
  LaunchShape shape;
  std::vector<const void *> arguments;
};

/// The device has a kernel that does not end, or has lost its context: nothing more can be done with it, and
/// what was made for it must not be destroyed.
bool is_device_lost(const Error &error, const Device &device);

class TunedLaunches {
public:
  TunedLaunches(TunedArrays &arrays, std::chrono::nanoseconds time_limit, bool flush_l2)
      : arrays_(arrays), time_limit_(time_limit), flush_l2_(flush_l2) {}
  /// Launches once, and waits. Errors: the launch's; TimeLimitError on a GPU, where it runs on.
  Result<double> once(const LaunchableKernel &kernel);
  /// The same on the CPU, of a kernel that was compiled as interruptible.
  Result<void> once_limited(const LaunchableKernel &kernel);
  /// Nanoseconds a launch, over as many launches as take `target` nanoseconds, where one takes about `known`.
  Result<double> sample(const LaunchableKernel &kernel, double known, double target);

private:
  Result<double> batch(const LaunchableKernel &kernel, uint32_t launches);
  Result<double> flushed(const LaunchableKernel &kernel, uint32_t launches);
  Result<void> wait(const Event &event);
  TunedArrays &arrays_;
  const std::chrono::nanoseconds time_limit_;
  const bool flush_l2_;
  Event begin_, end_;
  Buffer flush_;
};

} // namespace kiln
