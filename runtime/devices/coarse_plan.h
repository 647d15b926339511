// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches of a kernel may take its coarse entry (docs/design/coarsening.md): asked of each of them, in
// some tens of nanoseconds.
#pragma once

#include "loaded.h"

#include <kiln/stream.h>

namespace kiln {

class CoarsePlan {
public:
  /// Threads of the coarse entry that fill a multiprocessor. A launch that leaves some of it empty waits for
  /// memory whichever entry it runs, and more of its threads wait at once as it was written.
  static constexpr uint64_t least_threads_of_multiprocessor = 2048;
  /// The same of entries with factor 1, whose threads wait less: a block of them.
  static constexpr uint64_t least_threads_apart = 128;
  static constexpr size_t most_parameters = 31; ///< Target::coarsen takes no kernel with more

  /// `least_threads`: of the launch as written. `access_bytes`: of the entry's widest accesses, whose arrays
  /// begin at a multiple of them. None: no launch can be judged, since the parameters' types do not tell an
  /// array's memory.
  static std::optional<CoarsePlan> make(const Coarsening &coarsening, std::span<const MemoryPart> memory,
                                        uint64_t least_threads, uint64_t access_bytes = 16);
  uint32_t factor() const { return factor_; }
  /// Does the coarse entry compute what the launch as written does? The arguments are what the kernel takes.
  bool fits(const LaunchShape &shape, std::span<const void *const> arguments,
            const LaunchOptions &options) const;
  /// The grid of the coarse entry; its blocks are the launch's.
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
  uint64_t least_threads_ = 0, access_bytes_ = 16;
  bool in_step_ = false;
  std::vector<Array> arrays_; ///< those that are written to in front
  size_t written_ = 0;
};

} // namespace kiln
