// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DLPack's structures (dmlc.github.io/dlpack), and functions to read and write them.
#pragma once

#include "value_type.h"

namespace kiln::python::dlpack {

struct Device {
  int32_t type, id;
};
enum DeviceType : int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};

struct Tensor {
  void *data;
  Device device;
  int32_t rank;
  DataType dtype;
  int64_t *shape, *strides; ///< strides in elements; null: row-major, contiguous
  uint64_t byte_offset;
};

/// Functions in a class's attribute __dlpack_c_exchange_api__. They read a tensor without a capsule and
/// without a wait.
struct ExchangeApi {
  struct {
    uint32_t major, minor;
    void *previous;
  } header;
  void *allocate, *from_object, *to_object;
  int (*borrow_tensor)(void *object, Tensor *out);
  int (*current_stream)(int32_t device_type, int32_t device, void **out);
};

/// Returns the exchange API of the object's class, cached per class. Null if the class has none.
const ExchangeApi *exchange_api(PyObject *object);

/// Returns Kiln's type for a DLPack element type. Null if kernels do not support it.
const ValueType *type_of(DataType type);
/// Returns a tensor's layout: 'C' row-major, 'F' column-major, 'A' any strides. Throws for unsupported
/// tensors.
char layout_of(const Tensor &tensor);
bool is_on_host(const Tensor &tensor);
/// Throws, without a source location, if the tensor cannot be a kernel's argument.
void check(const Tensor &tensor);
/// The part of check() for tensors whose rank and element type were already checked: shape, device,
/// alignment.
void check_place(const Tensor &tensor);

/// Adds the functions dlpack_view and dlpack_capsule to the Python module.
void add(nanobind::module_ &m);

} // namespace kiln::python::dlpack
