// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps of devices.
#pragma once

#include <kiln/tensor_map.h>

#include <array>

namespace kiln {

/// Checked TensorMapOptions.
struct TensorMapShape {
  int cuda_type; ///< CUtensorMapDataType
  uint32_t element_bytes;
  uint64_t address = 0;
  std::array<uint64_t, 4> strides{}; ///< strides of dimensions 2 to 5 in bytes; dimension 1 is contiguous
};
void encode_for_cpu(const TensorMapOptions &options, const TensorMapShape &shape, uint64_t *words);

} // namespace kiln
