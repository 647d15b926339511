// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of launches: their types, and their bytes in the kernel's layout.
#pragma once

#include "engine.h"
#include "hooks.h"
#include "value_type.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace kiln::python {

namespace nb = nanobind;

namespace dlpack {
struct ExchangeApi;
}

/// Arguments of one launch, packed into words: a number takes 8 bytes, an array its pointer, its shape and,
/// unless its layout implies them, its strides in bytes.
class PackedArguments {
public:
  static constexpr size_t most = 256;
  /// Call it with the GIL. False: a Python error is set.
  bool add(PyObject *argument);
  const std::vector<const ValueType *> &types() const { return types_; }
  const void *at(size_t argument) const { return words_.data() + begins_[argument]; }
  void *at(size_t argument) { return words_.data() + begins_[argument]; }
  /// An array in host memory, whose address a GPU cannot access.
  struct HostArray {
    uint32_t word;     ///< index of its address
    uint64_t low, end; ///< range of addresses of its elements
    bool is_read_only;
  };
  const std::vector<HostArray> &host_arrays() const { return host_arrays_; }
  uint64_t &word(size_t i) { return words_[i]; }
  /// For kernels in Julia: arrays are CuDeviceArrays with a contiguous first dimension.
  bool is_julia = false;
  /// Current stream of an argument's library; 0: none reported.
  uint64_t stream = 0;
  void clear() {
    types_.clear(), words_.clear(), begins_.clear();
    host_arrays_.clear();
    is_julia = false;
    stream = 0;
    asked_ = nullptr;
  }

private:
  bool add_numpy(PyObject *argument);
  bool add_other(PyObject *argument);
  bool add_tensor(PyObject *argument, const dlpack::ExchangeApi &api);
  bool add_view(PyObject *described);
  bool add_tuple(PyObject *argument);
  void push(const ValueType *type, const void *bytes, size_t size);
  std::vector<const ValueType *> types_;
  std::vector<uint64_t> words_;
  std::vector<uint32_t> begins_;
  void add_array(const ValueType *type, uint64_t address, std::span<const int64_t> shape,
                 const int64_t *strides, bool is_host);
  bool check_julia(const ValueType &type) const;
  std::vector<HostArray> host_arrays_;
  const dlpack::ExchangeApi *asked_ = nullptr; ///< source of `stream` in this launch
  int32_t asked_device_ = 0;
  PyTypeObject *tensor_class_ = nullptr; ///< class of the last tensor; such classes are never freed
  const dlpack::ExchangeApi *tensor_api_ = nullptr;
};

/// Sets the class of device arrays. Their `_kiln_packed` is (Type, words as bytes).
void set_array_class(nb::handle type);

} // namespace kiln::python
