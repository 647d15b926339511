// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_mirrors.h"

#include <algorithm>

namespace kiln {

void ArrayMirrors::add(std::span<std::byte> memory) {
  ranges_.push_back({memory.data(), memory.data() + memory.size(), {}});
}

Result<void> ArrayMirrors::upload() {
  std::ranges::sort(ranges_, {}, &Range::first);
  std::vector<Range> merged;
  for (Range &range : ranges_)
    if (!merged.empty() && (range.first < merged.back().end || range.first == merged.back().first))
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(std::move(range));
  ranges_ = std::move(merged);
  for (Range &range : ranges_) {
    const auto bytes = uint64_t(range.end - range.first);
    KILN_TRY(range.device, stream_.allocate(bytes));
    KILN_CHECK(stream_.copy(range.device.data(), range.first, bytes));
  }
  return {};
}

std::optional<uint64_t> ArrayMirrors::device_address(uint64_t host) const {
  const Range *found = nullptr; // an address may be one range's end and the next one's first byte
  for (const Range &range : ranges_) {
    const auto first = uint64_t(reinterpret_cast<uintptr_t>(range.first)),
               end = uint64_t(reinterpret_cast<uintptr_t>(range.end));
    if (host >= first && host <= end && range.device.data()) found = &range;
  }
  if (!found) return std::nullopt;
  return uint64_t(reinterpret_cast<uintptr_t>(found->device.data())) +
         (host - uint64_t(reinterpret_cast<uintptr_t>(found->first)));
}

Result<void> ArrayMirrors::download() {
  for (const Range &range : ranges_)
    KILN_CHECK(stream_.copy(range.first, range.device.data(), uint64_t(range.end - range.first)));
  return {};
}

} // namespace kiln
