// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/host_mirror.h>

#include "device_memory.h"

#include <algorithm>

namespace kiln {

void HostMirror::add(std::span<std::byte> memory, bool is_read_only) {
  ranges_.push_back({memory.data(), memory.data() + memory.size(), is_read_only});
}

Result<void> HostMirror::upload() {
  std::ranges::sort(ranges_, {}, &Range::first);
  std::vector<Range> merged;
  for (Range &range : ranges_) {
    if (merged.empty() || (range.first >= merged.back().end && range.first != merged.back().first)) {
      merged.push_back(std::move(range));
      continue;
    }
    Range &last = merged.back();
    last.is_read_only &= range.is_read_only;
    const bool is_same = range.first == last.first && range.end == last.end;
    if (is_same && !last.device.data()) last.device = std::move(range.device);
    if (range.end <= last.end) continue;
    last.end = range.end;
    last.device = {};
  }
  ranges_ = std::move(merged);
  for (Range &range : ranges_) {
    if (range.device.data()) continue;
    KILN_TRY(range.device,
             stream_.allocate(std::max<uint64_t>(range.bytes(), 1))); // an empty array needs an address too
    if (range.bytes()) KILN_CHECK(stream_.copy(range.device.data(), range.first, range.bytes()));
  }
  return {};
}

std::optional<HostMirror::Place> HostMirror::find(uint64_t host) const {
  auto after =
      std::ranges::upper_bound(ranges_, host, {}, [](const Range &range) { return address_of(range.first); });
  if (after == ranges_.begin()) return std::nullopt;
  const Range &range = *(after - 1);
  if (host > address_of(range.end)) return std::nullopt;
  return Place{size_t(after - 1 - ranges_.begin()), host - address_of(range.first)};
}

std::optional<uint64_t> HostMirror::device_address(uint64_t host) const {
  const auto place = find(host);
  if (!place || !ranges_[place->range].device.data()) return std::nullopt;
  return address_of(ranges_[place->range].device.data()) + place->offset;
}

Result<void> HostMirror::download() {
  for (const Range &range : ranges_)
    if (!range.is_read_only && range.bytes())
      KILN_CHECK(stream_.copy(range.first, range.device.data(), range.bytes()));
  return {};
}

} // namespace kiln
