// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of launches: their types, and their bytes as kernels take them.
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

/// The arguments of one launch, in the words of their layout: numbers in 8 bytes, arrays as pointer, shape
/// and, of any strides, these in bytes.
class PackedArguments {
public:
  static constexpr size_t most = 256;
  /// With the GIL. False: a Python error is set.
  bool add(PyObject *argument);
  const std::vector<const ValueType *> &types() const { return types_; }
  const void *at(size_t argument) const { return words_.data() + begins_[argument]; }
  void *at(size_t argument) { return words_.data() + begins_[argument]; }
  /// An array in the host's memory, whose place a GPU does not take.
  struct HostArray {
    uint32_t word;     ///< of its address
    uint64_t low, end; ///< the memory that its elements lie in
    bool is_read_only;
  };
  const std::vector<HostArray> &host_arrays() const { return host_arrays_; }
  uint64_t &word(size_t i) { return words_[i]; }
  /// For kernels in Julia: arrays are CuDeviceArrays, whose first dimension lies in rows.
  bool is_julia = false;
  /// The stream that the library of an argument works in now, where it says so; 0: none does.
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
  const dlpack::ExchangeApi *asked_ = nullptr; ///< that gave `stream`, of this launch
  int32_t asked_device_ = 0;
  PyTypeObject *tensor_class_ = nullptr; ///< of the last tensor; such a class is never given back
  const dlpack::ExchangeApi *tensor_api_ = nullptr;
};

/// The class of device arrays, whose `_kiln_packed` is (Type, words as bytes).
void set_array_class(nb::handle type);

} // namespace kiln::python
