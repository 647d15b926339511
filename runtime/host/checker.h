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

/// Array in device memory that a kernel may access.
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
  Access access, other; ///< wrong access; for a race, `other` is the earlier access
  std::array<uint32_t, 3> block{};
  uint64_t bytes = 0; ///< size of the access
  /// Offset of the first accessed byte in shared memory, or in the nearest array (`argument`).
  int64_t offset = 0;
  uint64_t size = 0; ///< size of that array or of shared memory in bytes
  /// The access lies beyond an array in shared memory; shared memory holds that array only.
  bool of_array = false;
  uint32_t argument = 0; ///< number of the nearest argument, from 1; 0: shared memory, or no array is near
  uint64_t count = 1;    ///< number of wrong accesses of this kind at this place
};

/// Collects the findings of one launch from all its blocks. Thread-safe.
class AccessChecker {
public:
  /// `has_pointers`: the kernel also takes bare pointers, whose memory is unknown. Accesses outside of
  /// `ranges` are then not reported.
  explicit AccessChecker(std::vector<MemoryRange> ranges, bool has_pointers = false);

  /// True if one array contains [address, address + bytes). Otherwise `nearest` points to the nearest array,
  /// if there are arrays.
  bool holds(uintptr_t address, uint64_t bytes, const MemoryRange **nearest) const;
  void add(const AccessFinding &finding);
  /// Returns one finding for each kind and place, in program order. Each finding names the first thread of
  /// the first block.
  std::vector<AccessFinding> findings() const;

private:
  std::vector<MemoryRange> ranges_; ///< sorted by address
  bool has_pointers_;
  mutable std::mutex mutex_;
  // Key: AccessFinding::Kind, site index of the access, site index of the other access.
  std::map<std::array<uint32_t, 3>, AccessFinding> found_;
};

/// Last accesses to each byte of a block's shared memory, for race detection. Not thread-safe: one host
/// thread runs the threads of a block in turns.
class SharedShadow {
public:
  /// Starts a new block: `bytes` bytes of shared memory become uninitialised, and all earlier accesses are
  /// forgotten.
  void begin_block(uint64_t bytes);
  void pass_barrier() { epoch_++; }
  void sync_warp(uint32_t warp) { warp_epochs_[warp]++; }

  /// Fault found for one access.
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
    std::array<Stamp, 2> reads, atomics; ///< accesses of up to two threads, as chosen by note()
  };
  bool is_ordered(const Stamp &before, uint32_t thread) const;
  std::optional<Fault> access_byte(Cell &cell, const Stamp &now);
  void note(std::array<Stamp, 2> &pair, const Stamp &now) const;

  std::vector<Cell> cells_;
  std::array<uint32_t, 32> warp_epochs_{};
  /// `epoch_`: number of barriers so far; `first_epoch_`: its value when the running block began.
  uint64_t epoch_ = 0, first_epoch_ = 1;
};

} // namespace kiln
