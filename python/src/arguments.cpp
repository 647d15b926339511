// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"
#include "dlpack.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace kiln::python {

namespace {

/// All types that were met, by number; guarded by the GIL.
struct Types {
  std::deque<ArgumentType> all;
  std::vector<uint32_t> sizes; ///< bytes of an array's element; 0 of other types
  std::unordered_map<std::string, uint32_t> codes;
  Types() {
    for (const char *name : {"Int64", "Float64", "Bool", "UInt64", "ComplexF64"}) add({.name = name});
  }
  uint32_t add(ArgumentType type) {
    std::string key = type.name +
                      (type.kind == ArgumentType::Kind::Array   ? "["
                       : type.kind == ArgumentType::Kind::Tuple ? "("
                                                                : "") +
                      type.layout + std::to_string(type.rank) + (type.is_read_only ? "r" : "");
    for (uint32_t item : type.items) key += "," + std::to_string(item);
    auto [found, is_new] = codes.try_emplace(std::move(key), uint32_t(all.size()));
    if (is_new) {
      sizes.push_back(type.kind == ArgumentType::Kind::Array ? uint32_t(size_of(type.name)) : 0);
      all.push_back(std::move(type));
    }
    return found->second;
  }
};
Types &types() {
  static auto *held = new Types;
  return *held;
}
enum : uint32_t { Int64Code, Float64Code, BoolCode, UInt64Code, ComplexCode };

/// NumPy's array object, as every version of its C API has had it (numpy/ndarraytypes.h): read here so that
/// no header of NumPy's is needed.
struct NumpyArray {
  PyObject head;
  char *data;
  int rank;
  intptr_t *shape;
  intptr_t *strides;
  PyObject *base;
  PyObject *dtype;
  int flags;
};
constexpr int c_contiguous = 1, f_contiguous = 2, is_aligned = 0x100, is_writeable = 0x400;

struct Numpy {
  PyTypeObject *array = nullptr;   ///< null: NumPy is not loaded
  PyTypeObject *generic = nullptr; ///< the base of its scalars
  struct Element {
    bool is_known = false;
    std::string name; ///< in Kiln; empty: none
    uint32_t scalar = 0;
    std::array<uint32_t, 3 * 2 * 5> arrays{}; ///< code + 1 by layout, is read-only and rank up to 4
  };
  std::unordered_map<PyObject *, Element> dtypes; ///< with a reference each
};
Numpy &numpy() {
  static auto *held = new Numpy;
  return *held;
}

bool find_numpy() {
  Numpy &np = numpy();
  if (np.array) return true;
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *module = PyDict_GetItemString(modules, "numpy");
  if (!module) return false;
  PyObject *array = PyObject_GetAttrString(module, "ndarray"),
           *generic = PyObject_GetAttrString(module, "generic");
  if (!array || !generic) {
    PyErr_Clear();
    return false;
  }
  np.array = reinterpret_cast<PyTypeObject *>(array);
  np.generic = reinterpret_cast<PyTypeObject *>(generic);
  return true;
}

/// The element type of a dtype; null: a Python error is set.
Numpy::Element *element(PyObject *dtype) {
  auto [found, is_new] = numpy().dtypes.try_emplace(dtype);
  if (is_new) Py_INCREF(dtype);
  Numpy::Element &made = found->second;
  if (!made.is_known) {
    nb::object name = hooks().attr("element_type")(nb::handle(dtype)); // throws
    made.name = nb::cast<std::string>(name);
    made.scalar = code_of({.name = made.name});
    made.is_known = true;
  }
  return &made;
}

PyTypeObject *array_class = nullptr;

/// Types of tensors that launches took last, so that a tensor costs no name; guarded by the GIL.
struct KnownTensor {
  dlpack::DataType dtype{};
  int32_t rank = -1;
  char layout = 0;
  uint32_t code = 0;
  bool is(const dlpack::Tensor &tensor, char how) const {
    return rank == tensor.rank && layout == how && dtype.code == tensor.dtype.code &&
           dtype.bits == tensor.dtype.bits && dtype.lanes == tensor.dtype.lanes;
  }
};
std::array<KnownTensor, 8> known_tensors;
size_t next_tensor = 0;

/// Throws what kernels do not take.
uint32_t tensor_code(const dlpack::Tensor &tensor) {
  const char layout = tensor.rank >= 0 && tensor.rank <= 64 ? dlpack::layout_of(tensor) : 'A';
  for (const KnownTensor &known : known_tensors)
    if (known.is(tensor, layout)) {
      dlpack::check_place(tensor);
      return known.code;
    }
  dlpack::check(tensor);
  const uint32_t code = code_of({.kind = ArgumentType::Kind::Array,
                                 .name = dlpack::name_of(tensor.dtype),
                                 .layout = layout,
                                 .rank = tensor.rank});
  known_tensors[next_tensor++ % known_tensors.size()] = {tensor.dtype, tensor.rank, layout, code};
  return code;
}

} // namespace

void set_array_class(nb::handle type) {
  type.inc_ref();
  array_class = reinterpret_cast<PyTypeObject *>(type.ptr());
}

uint32_t code_of(const ArgumentType &type) { return types().add(type); }
const ArgumentType &argument_type(uint32_t code) { return types().all.at(code); }

void PackedArguments::add_array(const ArgumentType &type, uint32_t code, uint64_t address,
                                std::span<const int64_t> shape, const int64_t *strides, bool is_host) {
  codes_.push_back(code);
  begins_.push_back(uint32_t(words_.size()));
  const int64_t size = types().sizes[code];
  int64_t count = 1;
  for (int64_t n : shape) count *= n;
  if (is_host) {
    HostArray made{begins_.back(), address, address + uint64_t(count * size), type.is_read_only};
    if (type.layout == 'A' && count) {
      int64_t low = 0, high = size;
      for (size_t i = 0; i < shape.size(); i++) (strides[i] < 0 ? low : high) += (shape[i] - 1) * strides[i];
      made.low = address + uint64_t(low), made.end = address + uint64_t(high);
    }
    host_arrays_.push_back(made);
  }
  words_.push_back(address);
  if (is_julia) words_.push_back(uint64_t(count * size));
  for (int64_t n : shape) words_.push_back(uint64_t(n));
  if (is_julia)
    words_.push_back(uint64_t(count));
  else if (type.layout == 'A')
    for (size_t i = 0; i < shape.size(); i++) words_.push_back(uint64_t(strides[i]));
}

/// Kernels in Julia take arrays whose first dimension lies without gaps.
bool PackedArguments::check_julia(const ArgumentType &type) const {
  if (!is_julia || type.rank == 0 || type.layout == 'F' || (type.layout == 'C' && type.rank == 1))
    return true;
  PyErr_Format(
      PyExc_ValueError,
      "a kernel in Julia takes arrays in columns, A[i, j] beside A[i + 1, j]: pass numpy.asfortranarray(x), or x.T of one in rows");
  return false;
}

void PackedArguments::push(uint32_t code, const void *bytes, size_t size) {
  codes_.push_back(code);
  begins_.push_back(uint32_t(words_.size()));
  words_.resize(words_.size() + std::max<size_t>(1, (size + 7) / 8));
  if (size) std::memcpy(words_.data() + begins_.back(), bytes, size);
}

bool PackedArguments::add(PyObject *argument) {
  if (tensor_class_ && Py_TYPE(argument) == tensor_class_) return add_tensor(argument, *tensor_api_);
  if (find_numpy() && Py_TYPE(argument) == numpy().array) return add_numpy(argument);
  if (PyFloat_CheckExact(argument)) {
    const double value = PyFloat_AsDouble(argument);
    return push(Float64Code, &value, 8), true;
  }
  if (PyLong_CheckExact(argument)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(argument, &overflow);
    if (!overflow) return push(Int64Code, &value, 8), true;
    const unsigned long long wide = overflow > 0 ? PyLong_AsUnsignedLongLong(argument) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_SetString(PyExc_OverflowError, "an integer argument has to fit 64 bits");
      return false;
    }
    return push(UInt64Code, &wide, 8), true;
  }
  if (PyBool_Check(argument)) {
    const uint64_t value = argument == Py_True;
    return push(BoolCode, &value, 8), true;
  }
  if (PyComplex_CheckExact(argument)) {
    const double value[] = {PyComplex_RealAsDouble(argument), PyComplex_ImagAsDouble(argument)};
    return push(ComplexCode, value, 16), true;
  }
  if (PyTuple_CheckExact(argument)) return add_tuple(argument);
  return add_other(argument);
}

bool PackedArguments::add_numpy(PyObject *argument) {
  const auto *array = reinterpret_cast<const NumpyArray *>(argument);
  Numpy::Element *type = element(array->dtype);
  const bool is_read_only = !(array->flags & is_writeable);
  const int layout = array->flags & c_contiguous ? 0 : array->flags & f_contiguous ? 1 : 2;
  if (!(array->flags & is_aligned)) {
    PyErr_SetString(PyExc_ValueError, "the elements of an array argument are not aligned: pass a copy of it");
    return false;
  }
  uint32_t *known =
      array->rank <= 4 ? &type->arrays[size_t((layout * 2 + is_read_only) * 5 + array->rank)] : nullptr;
  uint32_t code = known ? *known : 0;
  if (!code) {
    code = 1 + code_of({.kind = ArgumentType::Kind::Array,
                        .name = type->name,
                        .layout = "CFA"[layout],
                        .rank = array->rank,
                        .is_read_only = is_read_only});
    if (known) *known = code;
  }
  int64_t shape[64];
  for (int i = 0; i < array->rank; i++) shape[i] = array->shape[i];
  static_assert(sizeof(intptr_t) == sizeof(int64_t));
  const ArgumentType &described = argument_type(code - 1);
  if (!check_julia(described)) return false;
  add_array(described, code - 1, reinterpret_cast<uint64_t>(array->data), {shape, size_t(array->rank)},
            reinterpret_cast<const int64_t *>(array->strides), true);
  return true;
}

/// A tuple's items lie at their own alignments; of items of a word, one after the other.
bool PackedArguments::add_tuple(PyObject *argument) {
  PackedArguments items;
  ArgumentType type{.kind = ArgumentType::Kind::Tuple};
  std::vector<std::byte> bytes;
  std::vector<size_t> offsets;
  size_t align = 1;
  for (Py_ssize_t i = 0; i < PyTuple_Size(argument); i++) {
    if (!items.add(PyTuple_GetItem(argument, i))) return false;
    const uint32_t code = items.codes().back();
    type.items.push_back(code);
    const auto [size, own] = memory_of(code);
    align = std::max(align, own);
    bytes.resize((bytes.size() + own - 1) / own * own + size);
    offsets.push_back(bytes.size() - size);
    if (size) std::memcpy(bytes.data() + bytes.size() - size, items.at(size_t(i)), size);
  }
  bytes.resize((bytes.size() + align - 1) / align * align);
  push(code_of(type), bytes.data(), bytes.size());
  if (items.stream) stream = items.stream;
  for (HostArray each : items.host_arrays_) {
    const size_t item = size_t(std::upper_bound(items.begins_.begin(), items.begins_.end(), each.word) -
                               items.begins_.begin()) -
                        1;
    each.word = begins_.back() + uint32_t(offsets[item] / 8) + each.word - items.begins_[item];
    host_arrays_.push_back(each);
  }
  return true;
}

bool PackedArguments::add_other(PyObject *argument) {
  if (Py_TYPE(argument) == array_class && !is_julia) {
    static PyObject *const packed = PyUnicode_InternFromString("_kiln_packed");
    PyObject *held = PyObject_GetAttr(argument, packed);
    if (!held) return false;
    char *bytes = nullptr;
    Py_ssize_t size = 0;
    const long code = PyLong_AsLong(PyTuple_GetItem(held, 0));
    const bool is_right = code >= 0 && !PyBytes_AsStringAndSize(PyTuple_GetItem(held, 1), &bytes, &size);
    if (is_right) push(uint32_t(code), bytes, size_t(size));
    Py_DECREF(held);
    return is_right;
  }
  if (numpy().array && PyObject_TypeCheck(argument, numpy().generic)) {
    nb::object dtype = nb::handle(argument).attr("dtype");
    Numpy::Element *type = element(dtype.ptr());
    if (type->name.starts_with("Record{")) { // by its place, so that the kernel can write to it
      nb::object described = hooks().attr("view_of_record")(nb::handle(argument));
      return add_view(described.ptr());
    }
    Py_buffer view;
    if (PyObject_GetBuffer(argument, &view, PyBUF_SIMPLE)) return false;
    push(type->scalar, view.buf, size_t(view.len));
    PyBuffer_Release(&view);
    return true;
  }
  if (numpy().array && PyObject_TypeCheck(argument, numpy().array)) { // a subclass
    static PyObject *const view = PyUnicode_InternFromString("_kiln_view_");
    if (PyObject_HasAttr(argument, view)) {
      nb::object described = nb::handle(argument).attr("_kiln_view_")();
      return add_view(described.ptr());
    }
    if (PyObject_HasAttrString(argument, "_mask")) {
      PyErr_SetString(
          PyExc_TypeError,
          "a masked array is no argument of kernels, which would not see its mask: pass its .data or .filled(value)");
      return false;
    }
    return add_numpy(argument);
  }
  if (const dlpack::ExchangeApi *api = dlpack::exchange_api(argument)) {
    tensor_class_ = Py_TYPE(argument), tensor_api_ = api;
    return add_tensor(argument, *api);
  }
  // ("host" or "device", element's type, address, shape, strides in bytes or None, is read-only), or
  // ("value", another object)
  nb::object described = hooks().attr("view")(nb::handle(argument));
  return add_view(described.ptr());
}

/// An array whose library gives it without a capsule; what the library still does in its stream comes first,
/// for the launch goes into that stream.
bool PackedArguments::add_tensor(PyObject *argument, const dlpack::ExchangeApi &api) {
  dlpack::Tensor tensor{};
  if (api.borrow_tensor(argument, &tensor)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "an array argument is none that DLPack can show");
    return false;
  }
  const uint32_t code = tensor_code(tensor);
  const size_t rank = size_t(tensor.rank);
  const ArgumentType &type = argument_type(code);
  if (!check_julia(type)) return false;
  int64_t steps[64];
  for (size_t i = 0; tensor.strides && i < rank; i++) steps[i] = tensor.strides[i] * types().sizes[code];
  const bool is_host = dlpack::is_on_host(tensor);
  const bool is_asked = asked_ == &api && asked_device_ == tensor.device.id; // in this launch
  void *current = nullptr;
  if (!is_host && !is_asked && api.current_stream &&
      !api.current_stream(tensor.device.type, tensor.device.id, &current)) {
    stream = reinterpret_cast<uint64_t>(current);
    asked_ = &api, asked_device_ = tensor.device.id;
  }
  add_array(type, code, reinterpret_cast<uint64_t>(tensor.data) + tensor.byte_offset, {tensor.shape, rank},
            steps, is_host);
  return true;
}

bool PackedArguments::add_view(PyObject *described) {
  nb::handle all(described);
  const auto kind = nb::cast<std::string>(all[0]);
  if (kind == "value") return add(nb::object(all[1]).ptr());
  if (kind == "pointer") { // to values of a type, for linked code
    const auto address = nb::cast<uint64_t>(all[2]);
    return push(code_of({.name = nb::cast<std::string>(all[1])}), &address, 8), true;
  }
  if (kind == "named" && add(nb::object(all[1]).ptr())) { // a tuple, and the names of its items
    ArgumentType type = argument_type(codes_.back());
    type.name = nb::cast<std::string>(all[2]);
    codes_.back() = code_of(type);
  }
  if (kind == "named") return !PyErr_Occurred();
  nb::object shape = all[3], strides = all[4];
  const size_t rank = nb::len(shape);
  if (rank > 64) {
    PyErr_SetString(PyExc_ValueError, "an array argument has at most 64 dimensions");
    return false;
  }
  const uint32_t code = code_of({.kind = ArgumentType::Kind::Array,
                                 .name = nb::cast<std::string>(all[1]),
                                 .layout = nb::cast<std::string>(all[6])[0],
                                 .rank = int(rank),
                                 .is_read_only = nb::cast<bool>(all[5])});
  int64_t extents[64], steps[64];
  for (size_t i = 0; i < rank; i++) extents[i] = nb::cast<int64_t>(shape[i]);
  const bool has_strides = !strides.is_none();
  for (size_t i = 0; has_strides && i < rank; i++) steps[i] = nb::cast<int64_t>(strides[i]);
  const ArgumentType &type = argument_type(code);
  if (!check_julia(type)) return false;
  add_array(type, code, nb::cast<uint64_t>(all[2]), {extents, rank}, has_strides ? steps : nullptr,
            kind == "host");
  return true;
}

} // namespace kiln::python
