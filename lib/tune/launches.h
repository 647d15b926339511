// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches candidates, and measures the launches with the device's clock.
#pragma once

#include "arrays.h"

namespace kiln {

/// A candidate that can be launched: its kernel, shape and arguments.
struct LaunchableKernel {
  Kernel kernel;
  LaunchShape shape;
  std::vector<const void *> arguments;
};

/// True if the device runs a kernel that does not end, or has lost its context. Nothing else can run on the
/// device, and objects made for the device must not be destroyed.
bool is_device_lost(const Error &error, const Device &device);

class TunedLaunches {
public:
  TunedLaunches(TunedArrays &arrays, std::chrono::nanoseconds time_limit, bool flush_l2)
      : arrays_(arrays), time_limit_(time_limit), flush_l2_(flush_l2) {}
  /// Launches once, waits, and returns the time in nanoseconds. Errors: those of the launch; TimeLimitError
  /// on a GPU, whose kernel continues to run.
  Result<double> once(const LaunchableKernel &kernel);
  /// Launches once with the time limit, on the CPU. The kernel must be compiled as interruptible.
  Result<void> once_limited(const LaunchableKernel &kernel);
  /// Measures the time per launch in nanoseconds. It launches as often as fits into `target` nanoseconds,
  /// given that one launch takes about `known` nanoseconds.
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
