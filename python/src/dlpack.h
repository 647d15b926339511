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

/// Content of a type's __dlpack_c_exchange_api__: one call per tensor, without a capsule or a wait.
struct ExchangeApi {
  struct {
    uint32_t major, minor;
    void *previous;
  } header;
  void *allocate, *from_object, *to_object;
  int (*borrow_tensor)(void *object, Tensor *out);
  int (*current_stream)(int32_t device_type, int32_t device, void **out);
};

/// The exchange API of the object's type, cached per type. Null if it has none.
const ExchangeApi *exchange_api(PyObject *object);

/// Type of an element. Null if kernels have none.
const ValueType *type_of(DataType type);
/// Layout ('C', 'F', 'A') of a tensor's elements. Throws for unsupported tensors.
char layout_of(const Tensor &tensor);
bool is_on_host(const Tensor &tensor);
/// Throws ValueError, without a place, if no kernel can access the array's device.
void check(const Tensor &tensor);
/// The part of check() that depends only on the place, for types that were already checked.
void check_place(const Tensor &tensor);

/// Adds dlpack_view and dlpack_capsule to the module.
void add(nanobind::module_ &m);

} // namespace kiln::python::dlpack
