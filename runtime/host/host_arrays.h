// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that compiled host code of a program makes. They belong to one call. Unreachable arrays are freed
// during the call; at its end, all except those in its result.
#pragma once

#include <kiln/export.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace kiln {

/// Arrays of one call. Compiled code runs on this object's thread, in deeper stack frames. Array elements
/// hold no pointers, so that only the stack and registers can refer to arrays.
class HostArrays {
public:
  /// `result`: buffer for the call's result. During the call, it may already refer to arrays.
  KILN_PROGRAMS_API HostArrays(uint64_t max_bytes, std::span<const std::byte> result);
  KILN_PROGRAMS_API ~HostArrays();
  HostArrays(const HostArrays &) = delete;
  HostArrays &operator=(const HostArrays &) = delete;

  /// Makes an array of zeros. Returns its header in CuDeviceArray layout: address, bytes of its memory,
  /// dimensions, length.
  /// Returns null for a negative dimension, or without memory. `site`: allocation site in compiled code.
  uint64_t *make(int64_t element_bytes, int64_t dimensions, const std::array<int64_t, 4> &dims,
                 const void *site);
  /// Gives a vector capacity for `bytes` bytes, and more for later growth: moves its elements, and changes
  /// the first two words of its header. Returns false without memory. `header`: of a vector of this call, or
  /// of one that on_growth() knows.
  bool grow(uint64_t *header, uint64_t bytes);
  /// Grows a vector that the call was given. False: without memory. Empty: the header is of no such vector.
  using GrowGiven = std::function<std::optional<bool>(uint64_t *header, uint64_t bytes)>;
  void on_growth(GrowGiven grow_given) { grow_given_ = std::move(grow_given); }
  KILN_PROGRAMS_API bool has_made(const uint64_t *header) const;
  uint64_t live_bytes() const { return live_; }

  /// The innermost call's arrays on this thread. Null: no compiled code of a program is running.
  static HostArrays *current();

private:
  struct Block {
    uintptr_t begin = 0, end = 0;
    uint64_t margin = 0; ///< in bytes; addresses up to this far outside still refer to the array
    const void *site = nullptr;
    uint64_t number = 0; ///< in order of creation
    bool is_marked = false;
    const uint64_t *header = nullptr; ///< the block has elements alone, of the array with this header
  };
  bool has_space(uint64_t bytes);
  void collect();
  void mark(const uintptr_t *stack_end);
  void mark_newest();

  const char *stack_begin_;
  std::span<const std::byte> result_;
  HostArrays *outer_;
  uint64_t max_bytes_, live_ = 0, made_ = 0;
  uint64_t next_bytes_, next_blocks_; ///< live bytes and number of arrays at which the next stack scan runs
  std::vector<Block> blocks_;
  GrowGiven grow_given_;
  std::unordered_map<const uint64_t *, size_t> grown_; ///< places of blocks with a header, by it
};

/// The last out-of-bounds access that compiled code reported on this thread before throwing.
struct OutOfBounds {
  const uint64_t *header = nullptr; ///< array's header; null: no report
  int64_t count = 0;                ///< number of indices
  std::array<int64_t, 4> indices = {};
};
/// Takes the report.
KILN_PROGRAMS_API OutOfBounds take_out_of_bounds();

inline constexpr const char *OutOfBoundsSymbol = "kiln_out_of_bounds";
extern "C" void kiln_out_of_bounds(const void *header, int64_t count, int64_t i1, int64_t i2, int64_t i3,
                                   int64_t i4);
inline constexpr const char *HostArraySymbol = "kiln_host_array";
extern "C" void *kiln_host_array(int64_t element_bytes, int64_t dimensions, int64_t d1, int64_t d2,
                                 int64_t d3, int64_t d4);
inline constexpr const char *GrowArraySymbol = "kiln_grow_array";
extern "C" bool kiln_grow_array(void *header, int64_t bytes);

} // namespace kiln
