// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes arrays of other libraries (DLPack, CUDA array interface) to kernels without a copy. The other
// library owns the memory, which must outlive the launches. The caller orders the streams of both libraries;
// Session::stream accepts a CUstream of another library.
//
// The structures are declared here after their specifications, so that no other library's header is needed:
// DLPack 1.0 (dmlc.github.io/dlpack, C API) and the CUDA array interface, version 3 (numba.readthedocs.io,
// "CUDA Array Interface").
#pragma once

#include <kiln/argument.h>
#include <kiln/device.h>
#include <kiln/export.h>

#include <span>
#include <string_view>

namespace kiln::dlpack {

struct Device {
  int32_t type; ///< kind of memory: 1 CPU, 2 CUDA, 3 CUDA host, 13 CUDA managed
  int32_t id;
};
struct DataType {
  uint8_t code; ///< kind of number: 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool
  uint8_t bits;
  uint16_t lanes;
};
struct Tensor {
  void *data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t *shape;
  int64_t *strides; ///< in elements; null: row-major and compact
  uint64_t byte_offset;
};
struct ManagedTensor {
  Tensor tensor;
  void *context;
  void (*deleter)(ManagedTensor *);
};
static_assert(sizeof(Tensor) == 48 && offsetof(Tensor, shape) == 24 && sizeof(ManagedTensor) == 64);

} // namespace kiln::dlpack

namespace kiln::inline KILN_API_VERSION {

/// Returns the language's type for a DLPack element type: "Float32". Error: Usage if the language has no such
/// type.
KILN_API Result<std::string> language_type(const dlpack::DataType &type);

/// The entries of __cuda_array_interface__.
struct CudaArrayInterface {
  std::span<const int64_t> shape;
  std::string_view typestr; ///< "<f4"
  void *data = nullptr;
  bool read_only = false;
  std::span<const int64_t> strides; ///< in bytes; empty: row-major and compact
};

struct ForeignOptions {
  /// How a kernel's column-major array indexes the other library's array. false: A[i, j] is that array's
  /// element [i - 1, j - 1]; the memory must be column-major. true: A[j, i] is that element; the memory must
  /// be row-major.
  bool reverse_dimensions = false;
  /// Accept read-only memory: the caller promises that the kernel does not write to it.
  bool allow_read_only = false;
};

/// Makes an argument for kernels on `device` from a foreign array. Error: Usage, with the reason: memory of
/// another device, an element type that the language lacks, strides that are not compact in the requested
/// order, or read-only memory.
KILN_API Result<Argument> argument_of(const dlpack::Tensor &tensor, const Device &device,
                                      const ForeignOptions &options = {});
inline Result<Argument> argument_of(const dlpack::ManagedTensor &tensor, const Device &device,
                                    const ForeignOptions &options = {}) {
  return argument_of(tensor.tensor, device, options);
}
KILN_API Result<Argument> argument_of(const CudaArrayInterface &array, const Device &device,
                                      const ForeignOptions &options = {});

} // namespace kiln::inline KILN_API_VERSION
