// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that compiled host code of a program makes while it runs. They belong to one call of it: what the
// call does not give back is freed when it ends, and what nothing on its stack refers to any more as it runs.
#pragma once

#include <kiln/export.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln {

/// The arrays of one call, on the thread and the stack that made this object: compiled code runs below it.
/// Arrays are of bits, so that only the stack and the registers can refer to them.
class HostArrays {
public:
  /// `result`: where the call puts what it gives, which may refer to arrays as well before it ends.
  KILN_PROGRAMS_API HostArrays(uint64_t most_bytes, std::span<const std::byte> result);
  KILN_PROGRAMS_API ~HostArrays();
  HostArrays(const HostArrays &) = delete;
  HostArrays &operator=(const HostArrays &) = delete;

  /// The header of a new array of zeros, as a CuDeviceArray lies: address, bytes, dimensions, length. Null:
  /// a dimension is negative, or there is not as much memory. `site`: the
  /// place in compiled code that asks.
  uint64_t *make(int64_t element_bytes, int64_t dimensions, const std::array<int64_t, 4> &dims,
                 const void *site);
  KILN_PROGRAMS_API bool has_made(const uint64_t *header) const;
  uint64_t live_bytes() const { return live_; }

  /// Of the calling thread, the innermost; null: compiled code of a program does not run.
  static HostArrays *current();

private:
  struct Block {
    uintptr_t begin, end;
    uint64_t margin; ///< so far outside, an address counts as one of it
    const void *site;
    uint64_t number; ///< in the order in which they were made
    bool is_marked = false;
  };
  void collect();
  void mark(const uintptr_t *stack_end);
  void mark_newest();

  const char *stack_begin_;
  std::span<const std::byte> result_;
  HostArrays *outer_;
  uint64_t most_bytes_, live_ = 0, made_ = 0;
  uint64_t next_bytes_, next_blocks_; ///< at which it looks for what is not needed any more
  std::vector<Block> blocks_;
};

/// The access of an array outside its bounds that compiled code reported last on this thread, before it
/// threw.
struct OutOfBounds {
  const uint64_t *header = nullptr; ///< of the array; null: nothing was reported
  int64_t count = 0;                ///< of indices
  std::array<int64_t, 4> indices = {};
};
/// Returns the report and forgets it.
KILN_PROGRAMS_API OutOfBounds take_out_of_bounds();

inline constexpr const char *OutOfBoundsSymbol = "kiln_out_of_bounds";
extern "C" void kiln_out_of_bounds(const void *header, int64_t count, int64_t i1, int64_t i2, int64_t i3,
                                   int64_t i4);
inline constexpr const char *HostArraySymbol = "kiln_host_array";
extern "C" void *kiln_host_array(int64_t element_bytes, int64_t dimensions, int64_t d1, int64_t d2,
                                 int64_t d3, int64_t d4);

} // namespace kiln
