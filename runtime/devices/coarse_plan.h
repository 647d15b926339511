// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides at each launch whether it may use the kernel's coarse entry: a second entry whose threads each
// process several elements (docs/design/coarsening.md). Takes some tens of nanoseconds.
#pragma once

#include "loaded.h"

#include <kiln/stream.h>

namespace kiln {

class CoarsePlan {
public:
  /// Minimum number of coarse-entry threads per multiprocessor. Smaller launches are bound by memory latency,
  /// which the original kernel with its more numerous threads hides better.
  static constexpr uint64_t min_threads_per_multiprocessor = 2048;
  /// Minimum number of threads per multiprocessor for entries with factor 1: one block. Their threads process
  /// one element, but wait less for memory.
  static constexpr uint64_t min_threads_apart = 128;
  static constexpr size_t max_parameters = 31; ///< limit of Target::coarsen

  /// `min_threads`: minimum number of threads that the original launch must have. `access_bytes`: widest
  /// access of the coarse entry, and the alignment that its arrays need. Returns nullopt if the parameters'
  /// types do not describe the arrays' memory.
  static std::optional<CoarsePlan> make(const Coarsening &coarsening, std::span<const MemoryPart> memory,
                                        uint64_t min_threads, uint64_t access_bytes = 16);
  uint32_t factor() const { return factor_; }
  /// True if the coarse entry gives the same results as the original launch. `arguments` must match the
  /// kernel.
  bool fits(const LaunchShape &shape, std::span<const void *const> arguments,
            const LaunchOptions &options) const;
  /// Returns the grid for the coarse entry; the block size is unchanged.
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
