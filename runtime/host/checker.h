// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a checked kernel (CompilerConfig::check) does wrong with memory: accesses outside of every array or of
// the block's shared memory, misaligned ones, reads of shared memory that the block has not written, and
// accesses of shared memory by two threads, one of them a write, with no barrier between them (a race). As
// compute-sanitizer's memcheck, initcheck and racecheck do for GPUs.
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
  Access access, other; ///< `other` of a race: the one that was made before
  std::array<uint32_t, 3> block{};
  uint64_t bytes = 0; ///< of the access
  int64_t offset = 0; ///< of its first byte: in shared memory, or in the nearest array (of `argument`)
  uint64_t size = 0;  ///< of what the offset is in
  bool of_array =
      false; ///< that is one array of the shared memory, and the access is into what lies beside it there
  uint32_t argument = 0; ///< 0: shared memory, or no array is near
  uint64_t count = 1;    ///< of such accesses at this place
};

/// Of one launch: collects what its blocks find. Thread-safe.
class AccessChecker {
public:
  /// has_pointers: the kernel has bare pointers too, and nobody knows what is behind them: accesses outside
  /// of `ranges` are not found then.
  explicit AccessChecker(std::vector<MemoryRange> ranges, bool has_pointers = false);

  /// Does an array hold [address, address + bytes)? Else the nearest one, if there is any.
  bool holds(uintptr_t address, uint64_t bytes, const MemoryRange **nearest) const;
  void add(const AccessFinding &finding);
  /// One for each kind and place, the first thread of the first block that it was seen in; in program order.
  std::vector<AccessFinding> findings() const;

private:
  std::vector<MemoryRange> ranges_; ///< by address
  bool has_pointers_;
  mutable std::mutex mutex_;
  // AccessFinding::Kind and the indices of both places.
  std::map<std::array<uint32_t, 3>, AccessFinding> found_;
};

/// Who accessed each byte of a block's shared memory last. Not thread-safe: a block's threads run in turns.
class SharedShadow {
public:
  /// Nothing of `bytes` bytes is initialised, no thread is ahead of another.
  void begin_block(uint64_t bytes);
  void pass_barrier() { epoch_++; }
  void sync_warp(uint32_t warp) { warp_epochs_[warp]++; }

  /// What the access does wrong, if anything; notes it for later ones.
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
    std::array<Stamp, 2> reads, atomics; ///< of several threads, perhaps: see note
  };
  bool is_ordered(const Stamp &before, uint32_t thread) const;
  std::optional<Fault> access_byte(Cell &cell, const Stamp &now);
  void note(std::array<Stamp, 2> &pair, const Stamp &now) const;

  std::vector<Cell> cells_;
  std::array<uint32_t, 32> warp_epochs_{};
  uint64_t epoch_ = 0, first_epoch_ = 1; ///< first_epoch_: of the block that runs
};

} // namespace kiln
