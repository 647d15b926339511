// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of candidates, timed by the device's clock.
#pragma once

#include "arrays.h"

namespace kiln {

/// A candidate that can be launched.
struct LaunchableKernel {
  Kernel kernel;
  LaunchShape shape;
  std::vector<const void *> arguments;
};

/// True if the device runs a kernel that does not end, or has lost its context: nothing more can run on it,
/// and objects made for it must not be destroyed.
bool is_device_lost(const Error &error, const Device &device);

class TunedLaunches {
public:
  TunedLaunches(TunedArrays &arrays, std::chrono::nanoseconds time_limit, bool flush_l2)
      : arrays_(arrays), time_limit_(time_limit), flush_l2_(flush_l2) {}
  /// Launches once and waits. Errors: those of the launch; TimeLimitError on a GPU, where the kernel
  /// continues to run.
  Result<double> once(const LaunchableKernel &kernel);
  /// Launches once with a time limit on the CPU. The kernel must be compiled as interruptible.
  Result<void> once_limited(const LaunchableKernel &kernel);
  /// Nanoseconds per launch, over as many launches as take `target` nanoseconds, given that one takes about
  /// `known`.
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
