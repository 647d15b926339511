// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion between C order (last index fastest) and column-major order (first index fastest).
#include "npy.h"

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

/// Side of a square tile in elements: the rows and columns of a tile fit into the L1 cache.
constexpr uint64_t tile = 32;

/// Copies rows x columns elements; strides are in elements.
void transpose(std::byte *to, const std::byte *from, uint64_t rows, uint64_t columns, uint64_t from_row,
               uint64_t to_column, uint64_t size) {
  auto copy_all = [&](auto fixed) {
    const uint64_t n = fixed ? uint64_t(fixed) : size;
    for (uint64_t r0 = 0; r0 < rows; r0 += tile)
      for (uint64_t c0 = 0; c0 < columns; c0 += tile)
        for (uint64_t c = c0, c1 = std::min(columns, c0 + tile); c < c1; ++c)
          for (uint64_t r = r0, r1 = std::min(rows, r0 + tile); r < r1; ++r)
            std::memcpy(to + (r + c * to_column) * n, from + (r * from_row + c) * n, n);
  };
  switch (size) { // copies of a constant size compile to single moves
  case 1: return copy_all(std::integral_constant<int, 1>());
  case 2: return copy_all(std::integral_constant<int, 2>());
  case 4: return copy_all(std::integral_constant<int, 4>());
  case 8: return copy_all(std::integral_constant<int, 8>());
  case 16: return copy_all(std::integral_constant<int, 16>());
  default: return copy_all(std::integral_constant<int, 0>());
  }
}

} // namespace

NpyArray to_column_major(NpyArray array) {
  size_t rank = array.shape.size();
  bool same_bytes = array.fortran_order || rank < 2 || array.bytes.empty();
  array.fortran_order = true;
  if (same_bytes) return array;

  // Swaps the first and last index for each choice of the indices between them.
  const std::vector<uint64_t> &shape = array.shape;
  uint64_t rows = shape.front(), columns = shape.back(), between = 1;
  for (size_t k = 1; k + 1 < rank; ++k) between *= shape[k];
  std::vector<std::byte> ordered(array.bytes.size());
  std::vector<uint64_t> index(rank, 0); // over the middle dimensions
  for (uint64_t i = 0; i < between; ++i) {
    uint64_t from = 0, to = 0, stride = 1;
    for (size_t k = 1; k + 1 < rank; ++k) from = from * shape[k] + index[k];
    for (size_t k = 1; k + 1 < rank; ++k) {
      to += index[k] * stride;
      stride *= shape[k];
    }
    transpose(ordered.data() + to * rows * array.type.size,
              array.bytes.data() + from * columns * array.type.size, rows, columns, between * columns,
              rows * between, array.type.size);
    for (size_t k = rank - 1; k-- > 1;) {
      if (++index[k] < shape[k]) break;
      index[k] = 0;
    }
  }
  array.bytes = std::move(ordered);
  return array;
}

NpyArray to_row_major(NpyArray array) {
  if (!array.fortran_order) return array;
  // A column-major array is a C-order array of the reversed shape.
  std::reverse(array.shape.begin(), array.shape.end());
  array.fortran_order = false;
  array = to_column_major(std::move(array));
  std::reverse(array.shape.begin(), array.shape.end());
  array.fortran_order = false;
  return array;
}

} // namespace kiln
