// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs the Python arguments of a launch: finds their types, and writes their bytes in the kernel's layout.
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

/// Arguments of one launch, packed into 64-bit words. A real number takes one word. An array takes its
/// pointer, its shape and, unless the layout implies them, its strides in bytes.
class PackedArguments {
public:
  static constexpr size_t most = 256;
  /// Adds one Python object as the next argument. Requires the GIL. False: a Python error is set.
  bool add(PyObject *argument);
  const std::vector<const ValueType *> &types() const { return types_; }
  const void *at(size_t argument) const { return words_.data() + begins_[argument]; }
  void *at(size_t argument) { return words_.data() + begins_[argument]; }
  /// An array argument in host memory, whose address a GPU cannot access.
  struct HostArray {
    uint32_t word;     ///< index of the word that holds the array's address
    uint64_t low, end; ///< address range of the array's elements
    bool is_read_only;
  };
  const std::vector<HostArray> &host_arrays() const { return host_arrays_; }
  uint64_t &word(size_t i) { return words_[i]; }
  /// True for a kernel in Julia, which takes arrays as CuDeviceArray: their first dimension must be
  /// contiguous.
  bool is_julia = false;
  /// CUDA stream that is current in the library of an array argument. 0: no library reported one.
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
  const dlpack::ExchangeApi *asked_ = nullptr; ///< exchange API that reported `stream`, or null
  int32_t asked_device_ = 0;
  PyTypeObject *tensor_class_ = nullptr; ///< class of the last tensor argument, which is never freed
  const dlpack::ExchangeApi *tensor_api_ = nullptr;
};

/// Registers Kiln's Python class of device arrays. An array's attribute `_kiln_packed` is (Type, words as
/// bytes).
void set_array_class(nb::handle type);

} // namespace kiln::python
