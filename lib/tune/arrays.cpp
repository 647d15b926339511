// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.h"

#include <algorithm>
#include <cstring>

namespace kiln {

Result<void> TunedArrays::open() {
  KILN_TRY(stream_, session_.stream(device_));
  return {};
}

Result<void> TunedArrays::add(Array array) {
  for (Array &known : arrays_) {
    const uint64_t end = array.first + array.bytes, known_end = known.first + known.bytes;
    if (array.first >= known.first && end <= known_end && (array.bytes || array.first == known.first)) {
      known.arguments.insert(known.arguments.end(), array.arguments.begin(), array.arguments.end());
      return {};
    }
    if (array.first < known_end && known.first < end)
      return usage_error("two arrays of the arguments overlap in part: the search copies each by itself");
  }
  if (array.bytes) {
    KILN_TRY(array.work, stream_.allocate(array.bytes));
    KILN_TRY(array.original, stream_.allocate(array.bytes));
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the arguments' bytes
    KILN_CHECK(stream_.copy(array.original.data(), reinterpret_cast<const void *>(uintptr_t(array.first)),
                            array.bytes));
    KILN_CHECK(stream_.copy(array.work.data(), array.original.data(), array.bytes));
    KILN_CHECK(stream_.synchronize()); // the host's memory may be touched again
  }
  arrays_.push_back(std::move(array));
  return {};
}

Result<void> TunedArrays::restore() {
  for (const Array &array : arrays_)
    if (array.bytes) KILN_CHECK(stream_.copy(array.work.data(), array.original.data(), array.bytes));
  return {};
}

Result<std::span<const std::byte>> TunedArrays::download(const Array &array) {
  if (!array.bytes) return std::span<const std::byte>();
  if (!device_.is_gpu()) {
    KILN_CHECK(stream_.synchronize());
    return std::span<const std::byte>(array.work.as<std::byte>(), array.bytes);
  }
  if (staging_.bytes() < array.bytes) {
    KILN_TRY(staging_, device_.allocate_pinned(array.bytes));
  }
  KILN_CHECK(stream_.copy(staging_.data(), array.work.data(), array.bytes));
  KILN_CHECK(stream_.synchronize());
  return std::span<const std::byte>(staging_.as<std::byte>(), array.bytes);
}

Result<std::vector<std::byte>> TunedArrays::original(const Array &array) {
  std::vector<std::byte> bytes(array.bytes);
  if (array.bytes) KILN_CHECK(stream_.copy(bytes.data(), array.original.data(), array.bytes));
  KILN_CHECK(stream_.synchronize());
  return bytes;
}

Result<void> TunedArrays::redirect(TypeRef type, std::vector<std::byte> &bytes,
                                   const std::function<uint64_t(const Array &)> &place) const {
  bool is_lost = false;
  for_each_pointer(session_.state().types, type, bytes.data(), [&](std::byte *at) {
    uint64_t address = 0;
    std::memcpy(&address, at, sizeof address);
    if (address == 0) return;
    for (const Array &array : arrays_) {
      if (address < array.first || address - array.first >= std::max<uint64_t>(1, array.bytes)) continue;
      const uint64_t made = array.bytes ? place(array) + (address - array.first) : address;
      std::memcpy(at, &made, sizeof made);
      return;
    }
    is_lost = true;
  });
  if (is_lost)
    return usage_error(
        "an argument holds a pointer to memory that no array of the arguments has, so the search "
        "can neither copy nor restore it");
  return {};
}

const TunedArrays::Array *TunedArrays::of_argument(size_t argument) const {
  for (const Array &array : arrays_)
    if (std::ranges::find(array.arguments, argument) != array.arguments.end()) return &array;
  return nullptr;
}

} // namespace kiln
