// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of host memory on a device, for launches whose arguments point to the host.
//
// Memory is identified by its bytes, not by its array. Ranges that overlap, through reshape, reinterpret or
// views, share one copy, so that a kernel sees through one its writes through another.
//
// One rule holds for pointers, in every door that launches with host arrays:
// - into a range, or to its end: the same place of the copy. Where two ranges touch, it belongs to the
// second.
// - into no range: unchanged. It may be the device's own memory; else the device reports an illegal address.
#pragma once

#include <kiln/stream.h>

#include <optional>
#include <span>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// One thread at a time. The copies live as long as this; it must not be destroyed on a device that is lost.
class KILN_API HostMirror {
public:
  explicit HostMirror(Stream &stream) : stream_(stream) {}

  /// Memory that has a copy.
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

  /// Adds memory. `download` skips memory that is only added read-only.
  void add(std::span<std::byte> memory, bool is_read_only = false);
  /// Copies the ranges that have no copy yet to the device, in the stream's order. Does not wait. After more
  /// memory is added, a range that grew gets another copy.
  Result<void> upload();
  /// All ranges: after `upload` sorted by address, and none overlaps another.
  std::span<const Range> ranges() const { return ranges_; }
  /// The range that a host address lies in, by the rule above; nothing: none.
  std::optional<Place> find(uint64_t host) const;
  /// Address of the copy of a host address; nothing: it lies in no range.
  std::optional<uint64_t> device_address(uint64_t host) const;
  /// Copies all ranges back, in the stream's order. Does not wait.
  Result<void> download();

private:
  Stream &stream_;
  std::vector<Range> ranges_; ///< sorted and apart after `upload`
};

} // namespace kiln::inline KILN_API_VERSION
