// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: descriptions of arrays in device memory for a kernel's tensor copies (Hopper.tensor_load and
// similar functions, TMA). On GPUs a tensor map is a CUtensorMap that the driver makes, without a launch or a
// copy. The CPU device has its own format.
#pragma once

#include <kiln/argument.h>
#include <kiln/device.h>
#include <kiln/export.h>

#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// An array of 1 to 5 dimensions, and the box of elements that one tensor copy moves. The contiguous
/// dimension comes first, as in Julia.
struct TensorMapOptions {
  std::string element;           ///< element type, such as "Float16": a number of 8 to 64 bits, or BFloat16
  void *data = nullptr;          ///< first element, in the device's memory; a multiple of 16 bytes
  std::vector<uint64_t> lengths; ///< array's size in each dimension in elements, each at most 2^32
  /// Strides in bytes from the second dimension on, multiples of 16. Empty: compact.
  std::vector<uint64_t> strides;
  /// Box's size in each dimension in elements, at most 256; its rows are multiples of 16 bytes.
  std::vector<uint32_t> box;
  /// 32, 64 or 128: swizzle in shared memory, for a box whose rows have exactly so many bytes. 0: no swizzle.
  uint32_t swizzle_bytes = 0;
  bool nan_outside = false; ///< elements outside the array read as NaN; false: as 0
};

/// A tensor map, which kernels receive by value as `Hopper.TensorMap{Float16, 2}`. It refers to the array's
/// memory and does not keep it alive.
class KILN_API TensorMap {
public:
  /// Errors: Usage for options that no device supports; Machine for a GPU before sm_90 or a driver without
  /// tensor maps.
  static Result<TensorMap> make(const Device &device, const TensorMapOptions &options);
  Argument argument() const;
  static constexpr size_t bytes = 128;
  const void *data() const { return words_; }
  const std::string &type() const { return type_; } ///< in the language

private:
  TensorMap() = default;
  alignas(64) uint64_t words_[bytes / sizeof(uint64_t)] = {}; ///< as CUtensorMap is aligned
  std::string type_;
};

} // namespace kiln::inline KILN_API_VERSION
