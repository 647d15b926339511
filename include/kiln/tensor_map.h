// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: descriptions of arrays in the device's memory for a kernel's tensor copies (Hopper.tensor_load
// and others). A GPU's is a CUtensorMap, made by its driver without a launch or a copy; the CPU's is Kiln's
// own.
#pragma once

#include <kiln/argument.h>
#include <kiln/device.h>
#include <kiln/export.h>

#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// An array of 1 to 5 dimensions, and the box of it that one copy moves. The contiguous dimension comes
/// first, as in Julia.
struct TensorMapOptions {
  std::string element;           ///< "Float16": a number of 8 to 64 bits, or BFloat16
  void *data = nullptr;          ///< in memory of the device, at a multiple of 16 bytes
  std::vector<uint64_t> lengths; ///< in elements, each at most 2^32
  std::vector<uint64_t> strides; ///< of all dimensions but the first, in bytes: multiples of 16.
                                 ///< Empty: compact
  std::vector<uint32_t> box;     ///< in elements, each at most 256; its rows are multiples of 16 bytes
  uint32_t swizzle_bytes = 0;    ///< 32, 64 or 128: so long are the box's rows, and permuted in shared memory
  bool nan_outside = false;      ///< reads outside the array give NaN, else 0
};

/// To be given to kernels by value: `Hopper.TensorMap{Float16, 2}`. It names the memory and does not keep it.
class KILN_API TensorMap {
public:
  /// Errors: Usage, for options that no device takes; Machine, for a GPU before sm_90 or a driver without
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
