// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes array headers: the bytes that a kernel receives for an array. The layout is that of
// abi::ArrayHeader, for any number of dimensions.
#pragma once

#include <kiln/version.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace kiln::inline KILN_API_VERSION {

constexpr size_t array_header_bytes(size_t dimensions) { return (dimensions + 3) * sizeof(uint64_t); }

/// Writes array_header_bytes(dims.size()) bytes to `out`: data pointer, size in bytes, dimensions, number of
/// elements. Does not check for negative dimensions or 64-bit overflow; the launch does.
inline void write_array_header(void *out, const void *data, std::span<const int64_t> dims,
                               uint64_t element_size) {
  auto *words = static_cast<std::byte *>(out);
  auto put = [&](size_t word, uint64_t value) {
    std::memcpy(words + word * sizeof value, &value, sizeof value);
  };
  uint64_t length = 1;
  for (size_t i = 0; i < dims.size(); i++) {
    length *= uint64_t(dims[i]);
    put(2 + i, uint64_t(dims[i]));
  }
  put(0, uint64_t(reinterpret_cast<uintptr_t>(data)));
  put(1, length * element_size);
  put(2 + dims.size(), length);
}

} // namespace kiln::inline KILN_API_VERSION
