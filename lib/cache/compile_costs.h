// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

namespace kiln {

/// Estimates the time of the next compile of each product: the mean of earlier compiles. Thread-safe. A low
/// estimate would make sessions stop waiting too early, and several machines make the most expensive
/// products.
class CompileCosts {
public:
  /// Adds the time of a compile, by this session or as recorded in an entry. Ignores invalid numbers, since
  /// an entry may be damaged.
  void note(ArtifactKind product, double milliseconds) {
    if (!(milliseconds > 0)) return;
    Sum &sum = sums_[size_t(product)];
    sum.microseconds.fetch_add(uint64_t(std::min(milliseconds, max_milliseconds) * 1000),
                               std::memory_order_relaxed);
    sum.count.fetch_add(1, std::memory_order_relaxed);
  }
  /// 0: unknown.
  std::chrono::microseconds estimate(ArtifactKind product) const {
    const Sum &sum = sums_[size_t(product)];
    const uint64_t count = sum.count.load(std::memory_order_relaxed);
    return std::chrono::microseconds(count ? sum.microseconds.load(std::memory_order_relaxed) / count : 0);
  }

private:
  static constexpr double max_milliseconds = 3'600'000;
  struct Sum {
    std::atomic<uint64_t> microseconds{0}, count{0};
  };
  std::array<Sum, size_t(ArtifactKind::Cubin) + 1> sums_;
};

} // namespace kiln
