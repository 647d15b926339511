// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory checks of a kernel compiled with CompilerConfig::check: accesses out of bounds of every array or of
// the block's shared memory, misaligned accesses, reads of uninitialised shared memory, and races (two
// threads access the same shared memory without a barrier between, and at least one writes). For GPUs,
// compute-sanitizer's memcheck, initcheck and racecheck do the same.
#pragma once

#include <kiln/abi.h>

#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kiln {

/// Device memory that a kernel may access.
struct MemoryRange {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
  uint32_t argument = 0; ///< 1-based
};

struct AccessFinding {
  enum class Kind { OutOfBounds, Misaligned, Uninitialized, Race };
  struct Access {
    const abi::AccessSite *site = nullptr;
    std::array<uint32_t, 3> thread{}; ///< 0-based
  };
  Kind kind{};
  Access access, other; ///< `other`: the earlier access of a race
  std::array<uint32_t, 3> block{};
  uint64_t bytes = 0;    ///< size of the access
  int64_t offset = 0;    ///< offset of its first byte in shared memory or in the nearest array (`argument`)
  uint64_t size = 0;     ///< of the array or shared memory
  bool of_array = false; ///< shared memory that is one array, and the access lies beyond it
  uint32_t argument = 0; ///< 0: shared memory, or no array is near
  uint64_t count = 1;    ///< number of such accesses at this place
};

/// Collects the findings of one launch from all its blocks. Thread-safe.
class AccessChecker {
public:
  /// has_pointers: the kernel also takes bare pointers, whose memory is unknown. Accesses outside of `ranges`
  /// are then not reported.
  explicit AccessChecker(std::vector<MemoryRange> ranges, bool has_pointers = false);

  /// True if one array contains [address, address + bytes). Otherwise sets `nearest` to the nearest array, if
  /// any.
  bool holds(uintptr_t address, uint64_t bytes, const MemoryRange **nearest) const;
  void add(const AccessFinding &finding);
  /// One finding for each kind and place, in program order. Each names the first thread of the first block
  /// that had it.
  std::vector<AccessFinding> findings() const;

private:
  std::vector<MemoryRange> ranges_; ///< sorted by address
  bool has_pointers_;
  mutable std::mutex mutex_;
  // Key: AccessFinding::Kind, index of the first place, index of the second place.
  std::map<std::array<uint32_t, 3>, AccessFinding> found_;
};

/// Last accesses to each byte of a block's shared memory. Not thread-safe: the threads of a block run in
/// turns.
class SharedShadow {
public:
  /// Starts a block with `bytes` bytes of uninitialised shared memory and all threads in step.
  void begin_block(uint64_t bytes);
  void pass_barrier() { epoch_++; }
  void sync_warp(uint32_t warp) { warp_epochs_[warp]++; }

  /// Fault of one access, if any. The access is recorded for later ones.
  struct Fault {
    AccessFinding::Kind kind;
    const abi::AccessSite *other = nullptr;
    uint32_t other_thread = 0;
  };
  std::optional<Fault> access(uint64_t offset, uint64_t bytes, uint32_t thread, const abi::AccessSite *site);

private:
  struct Stamp {
    const abi::AccessSite *site = nullptr;
    uint64_t epoch = 0;
    uint32_t warp_epoch = 0;
    uint32_t thread = 0;
  };
  struct Cell {
    Stamp write;
    std::array<Stamp, 2> reads, atomics; ///< accesses of up to two threads: see note()
  };
  bool is_ordered(const Stamp &before, uint32_t thread) const;
  std::optional<Fault> access_byte(Cell &cell, const Stamp &now);
  void note(std::array<Stamp, 2> &pair, const Stamp &now) const;

  std::vector<Cell> cells_;
  std::array<uint32_t, 32> warp_epochs_{};
  uint64_t epoch_ = 0, first_epoch_ = 1; ///< first_epoch_: epoch at which the running block began
};

} // namespace kiln
