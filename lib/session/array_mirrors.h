// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of host memory on a device for one launch. Arrays that share bytes, as reshape and reinterpret make
// them, share a copy: the copies are keyed by ranges of addresses, and overlapping ranges are merged.
#pragma once

#include <session/session.h>

namespace kiln {

/// One launch's copies, in the order of one stream. `add` all arrays, then `upload`.
class ArrayMirrors {
public:
  explicit ArrayMirrors(Stream &stream) : stream_(stream) {}

  void add(std::span<std::byte> memory);
  Result<void> upload();
  /// The device's address of a host address; none: it lies in no array.
  std::optional<uint64_t> device_address(uint64_t host) const;
  /// Copies all ranges back. Does not wait.
  Result<void> download();

private:
  struct Range {
    std::byte *first, *end;
    Buffer device;
  };
  Stream &stream_;
  std::vector<Range> ranges_; ///< sorted and apart after `upload`
};

} // namespace kiln
