// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DLPack's structures, as its specification (dmlc.github.io/dlpack) lays them out, and what reads and writes
// them.
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
  int64_t *shape, *strides; ///< strides in elements; null: rows without gaps
  uint64_t byte_offset;
};

/// What a type's __dlpack_c_exchange_api__ holds: one call a tensor, without a capsule and without a wait.
struct ExchangeApi {
  struct {
    uint32_t major, minor;
    void *previous;
  } header;
  void *allocate, *from_object, *to_object;
  int (*borrow_tensor)(void *object, Tensor *out);
  int (*current_stream)(int32_t device_type, int32_t device, void **out);
};

/// Of the object's type; null: it has none. Kept for the type.
const ExchangeApi *exchange_api(PyObject *object);

/// The type of an element; null: kernels have none.
const ValueType *type_of(DataType type);
/// The layout ('C', 'F', 'A') of a tensor's elements; throws what kernels do not take.
char layout_of(const Tensor &tensor);
bool is_on_host(const Tensor &tensor);
/// ValueError, without a place for others: an array of a device that no kernel reaches.
void check(const Tensor &tensor);
/// The part of it that follows from the place alone: for tensors of a type that was checked.
void check_place(const Tensor &tensor);

/// dlpack_view, dlpack_capsule in the module.
void add(nanobind::module_ &m);

} // namespace kiln::python::dlpack
