// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of host memory on a device, for launches whose arguments point to the host.
//
// Copies are made per memory range, not per array. Overlapping ranges, from reshape, reinterpret or views,
// share one copy. A kernel therefore sees its writes through every array of that memory.
//
// A host pointer in an argument becomes a device pointer by one rule, in all APIs that launch with host
// arrays:
// - A pointer into a range, or to its end, becomes a pointer to the same offset in the range's copy. If two
// ranges touch, the common address belongs to the second range.
// - A pointer into no range stays unchanged. It may point to device memory; otherwise the device reports an
// illegal address.
#pragma once

#include <kiln/stream.h>

#include <optional>
#include <span>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Copies of host memory on a stream's device. Not thread-safe. The destructor frees the copies; do not
/// destroy the object after the device is lost.
class KILN_API HostMirror {
public:
  explicit HostMirror(Stream &stream) : stream_(stream) {}

  /// A range of host memory that has a copy on the device.
  struct Range {
    std::byte *first, *end;
    bool is_read_only;
    Buffer device = {};
    uint64_t bytes() const { return uint64_t(end - first); }
  };
  /// A place in a range.
  struct Place {
    size_t range;
    uint64_t offset;
  };

  /// Adds host memory to copy. download() does not write to memory that was only added as read-only.
  void add(std::span<std::byte> memory, bool is_read_only = false);
  /// Submits copies to the device for all ranges that have no copy yet, and returns without waiting. A range
  /// that grew since the last upload gets a new copy.
  Result<void> upload();
  /// Returns all ranges. After upload() they are sorted by address and do not overlap.
  std::span<const Range> ranges() const { return ranges_; }
  /// Finds the range of a host address, by the rule at the top of this file. No value: the address is in no
  /// range.
  std::optional<Place> find(uint64_t host) const;
  /// Returns the device address that corresponds to a host address. No value: the host address is in no
  /// range.
  std::optional<uint64_t> device_address(uint64_t host) const;
  /// Submits copies of all writable ranges back to the host, and returns without waiting.
  Result<void> download();

private:
  Stream &stream_;
  std::vector<Range> ranges_; ///< sorted and apart after `upload`
};

} // namespace kiln::inline KILN_API_VERSION
