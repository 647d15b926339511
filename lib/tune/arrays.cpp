// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.h"

#include <algorithm>
#include <cstring>

namespace kiln {

Result<void> TunedArrays::open() {
  KILN_TRY(stream_, session_.stream(device_));
  return {};
}

void TunedArrays::add(Array array) {
  for (Array &known : arrays_) {
    const uint64_t end = array.first + array.bytes, known_end = known.first + known.bytes;
    if (array.first < known.first || end > known_end || (!array.bytes && array.first != known.first))
      continue;
    known.arguments.insert(known.arguments.end(), array.arguments.begin(), array.arguments.end());
    return;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address comes from argument bytes
  working_.add({reinterpret_cast<std::byte *>(uintptr_t(array.first)), array.bytes});
  arrays_.push_back(std::move(array));
}

Result<void> TunedArrays::upload() {
  KILN_CHECK(working_.upload());
  std::vector<Original> all;
  for (const HostMirror::Range &range : working_.ranges()) {
    auto known = std::ranges::find(originals_, range.first, &Original::first);
    if (known != originals_.end() && known->content.bytes() == range.bytes()) {
      all.push_back(std::move(*known));
      continue;
    }
    all.push_back({range.first, {}});
    if (!range.bytes()) continue;
    KILN_TRY(all.back().content, stream_.allocate(range.bytes()));
    KILN_CHECK(stream_.copy(all.back().content.data(), range.device.data(), range.bytes()));
  }
  originals_ = std::move(all);
  return stream_.synchronize(); // the host's memory may change after this
}

Result<void> TunedArrays::restore() {
  for (size_t i = 0; i < originals_.size(); i++)
    if (const HostMirror::Range &range = working_.ranges()[i]; range.bytes())
      KILN_CHECK(stream_.copy(range.device.data(), originals_[i].content.data(), range.bytes()));
  return {};
}

Result<std::span<const std::byte>> TunedArrays::download(const Array &array) {
  if (!array.bytes) return std::span<const std::byte>();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is on the device
  auto *working = reinterpret_cast<const std::byte *>(uintptr_t(*working_.device_address(array.first)));
  if (!device_.is_gpu()) {
    KILN_CHECK(stream_.synchronize());
    return std::span(working, array.bytes);
  }
  if (staging_.bytes() < array.bytes) {
    KILN_TRY(staging_, device_.allocate_pinned(array.bytes));
  }
  KILN_CHECK(stream_.copy(staging_.data(), working, array.bytes));
  KILN_CHECK(stream_.synchronize());
  return std::span<const std::byte>(staging_.as<std::byte>(), array.bytes);
}

Result<std::vector<std::byte>> TunedArrays::original(const Array &array) {
  std::vector<std::byte> bytes(array.bytes);
  const HostMirror::Place at = *working_.find(array.first);
  if (array.bytes)
    KILN_CHECK(
        stream_.copy(bytes.data(), originals_[at.range].content.as<std::byte>() + at.offset, array.bytes));
  KILN_CHECK(stream_.synchronize());
  return bytes;
}

Result<std::vector<std::vector<std::byte>>> TunedArrays::originals() {
  std::vector<std::vector<std::byte>> copies;
  for (const Original &each : originals_) {
    std::vector<std::byte> &copy = copies.emplace_back(each.content.bytes());
    if (!copy.empty()) KILN_CHECK(stream_.copy(copy.data(), each.content.data(), copy.size()));
  }
  KILN_CHECK(stream_.synchronize());
  return copies;
}

std::span<const std::byte> TunedArrays::copied_array(const std::vector<std::vector<std::byte>> &copies,
                                                     const Array &array) const {
  const HostMirror::Place at = *working_.find(array.first);
  return std::span(copies[at.range]).subspan(array.bytes ? at.offset : 0, array.bytes);
}

Result<void> TunedArrays::redirect(TypeRef type, std::vector<std::byte> &bytes,
                                   const std::vector<std::vector<std::byte>> *copies) const {
  bool is_lost = false;
  for_each_pointer(session_.world().types(), type, bytes.data(), [&](std::byte *at) {
    uint64_t address = 0;
    std::memcpy(&address, at, sizeof address);
    const auto place = working_.find(address);
    is_lost |= address != 0 && !place;
    if (!place || !copies) return;
    address = uint64_t(reinterpret_cast<uintptr_t>((*copies)[place->range].data())) + place->offset;
    std::memcpy(at, &address, sizeof address);
  });
  if (is_lost)
    return usage_error(
        "an argument holds a pointer to memory that no array of the arguments has, so the search "
        "can neither copy nor restore it");
  if (!copies) kiln::redirect(working_, session_.world().types(), type, bytes.data());
  return {};
}

const TunedArrays::Array *TunedArrays::of_argument(size_t argument) const {
  for (const Array &array : arrays_)
    if (std::ranges::find(array.arguments, argument) != array.arguments.end()) return &array;
  return nullptr;
}

} // namespace kiln
