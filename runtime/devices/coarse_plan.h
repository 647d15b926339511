// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides at each launch, in some tens of nanoseconds, whether it may use the kernel's coarse entry
// (docs/design/coarsening.md).
#pragma once

#include "loaded.h"

#include <kiln/stream.h>

namespace kiln {

class CoarsePlan {
public:
  /// Threads of the coarse entry that fill a multiprocessor. A smaller launch is bound by memory latency, and
  /// hides more of it with the kernel as written.
  static constexpr uint64_t min_threads_per_multiprocessor = 2048;
  /// Minimum for entries with factor 1, which wait less for memory: one block of threads.
  static constexpr uint64_t min_threads_apart = 128;
  static constexpr size_t max_parameters = 31; ///< limit of Target::coarsen

  /// `min_threads`: of the launch as written. `access_bytes`: widest access of the entry, and the alignment
  /// that its arrays need. None: the parameters' types do not describe the arrays' memory.
  static std::optional<CoarsePlan> make(const Coarsening &coarsening, std::span<const MemoryPart> memory,
                                        uint64_t min_threads, uint64_t access_bytes = 16);
  uint32_t factor() const { return factor_; }
  /// True if the coarse entry computes the same as the launch as written. `arguments` must match the kernel.
  bool fits(const LaunchShape &shape, std::span<const void *const> arguments,
            const LaunchOptions &options) const;
  /// Grid of the coarse entry; the block size is unchanged.
  LaunchShape coarse_shape(LaunchShape shape) const {
    shape.blocks[0] = (shape.blocks[0] + factor_ - 1) / factor_;
    return shape;
  }

private:
  struct Array {
    uint32_t parameter, offset, length_word, element_bytes;
    uint32_t stride;
    int32_t shift;
    bool is_written, is_wide;
  };
  CoarsePlan() = default;
  bool may_share(const Array &a, const Array &b) const;
  uint32_t factor_ = 1;
  uint64_t min_threads_ = 0, access_bytes_ = 16;
  bool in_step_ = false;
  std::vector<Array> arrays_; ///< written arrays first
  size_t written_ = 0;
};

} // namespace kiln
