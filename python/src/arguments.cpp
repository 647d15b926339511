// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"
#include "dlpack.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace kiln::python {

namespace {

/// Types of Python's built-in numbers.
struct PythonTypes {
  const ValueType *int64 = number_type("int64"), *float64 = number_type("float64"),
                  *boolean = number_type("bool"), *uint64 = number_type("uint64"),
                  *complex128 = number_type("complex128");
};
const PythonTypes &python_types() {
  static const PythonTypes held;
  return held;
}

/// NumPy's array object, whose layout is the same in every version of its C API (numpy/ndarraytypes.h).
/// Declared here to avoid NumPy's headers.
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
    const ValueType *type = nullptr;
    /// Array types by layout, read-only flag and rank up to 4. Null until first used.
    std::array<const ValueType *, 3 * 2 * 5> arrays{};
  };
  std::unordered_map<PyObject *, Element> dtypes; ///< owns a reference to each
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

/// Returns the element type of a NumPy dtype, cached per dtype. Throws.
Numpy::Element *element(PyObject *dtype) {
  auto [found, is_new] = numpy().dtypes.try_emplace(dtype);
  if (is_new) Py_INCREF(dtype);
  Numpy::Element &made = found->second;
  if (!made.type) made.type = checked_type(hooks().attr("element_type")(nb::handle(dtype))); // throws
  return &made;
}

PyTypeObject *array_class = nullptr;

/// Cache of the types of tensors in recent launches: saves a look-up per tensor. Guarded by the GIL.
struct KnownTensor {
  dlpack::DataType dtype{};
  int32_t rank = -1;
  char layout = 0;
  const ValueType *type = nullptr;
  bool is(const dlpack::Tensor &tensor, char how) const {
    return rank == tensor.rank && layout == how && dtype.code == tensor.dtype.code &&
           dtype.bits == tensor.dtype.bits && dtype.lanes == tensor.dtype.lanes;
  }
};
std::array<KnownTensor, 8> known_tensors;
size_t next_tensor = 0;

/// Returns the array type of a DLPack tensor. Throws for tensors that kernels do not support.
const ValueType *tensor_type(const dlpack::Tensor &tensor) {
  const char layout = tensor.rank >= 0 && tensor.rank <= 64 ? dlpack::layout_of(tensor) : 'A';
  for (const KnownTensor &known : known_tensors)
    if (known.is(tensor, layout)) {
      dlpack::check_place(tensor);
      return known.type;
    }
  dlpack::check(tensor);
  const ValueType *type = array_type(dlpack::type_of(tensor.dtype), tensor.rank, layout, false);
  known_tensors[next_tensor++ % known_tensors.size()] = {tensor.dtype, tensor.rank, layout, type};
  return type;
}

} // namespace

void set_array_class(nb::handle type) {
  type.inc_ref();
  array_class = reinterpret_cast<PyTypeObject *>(type.ptr());
}

void PackedArguments::add_array(const ValueType *type, uint64_t address, std::span<const int64_t> shape,
                                const int64_t *strides, bool is_host) {
  types_.push_back(type);
  begins_.push_back(uint32_t(words_.size()));
  const int64_t size = int64_t(type->element->size);
  int64_t count = 1;
  for (int64_t n : shape) count *= n;
  if (is_host) {
    HostArray made{begins_.back(), address, address + uint64_t(count * size), type->is_read_only};
    if (type->layout == 'A' && count) {
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
  else if (type->layout == 'A')
    for (size_t i = 0; i < shape.size(); i++) words_.push_back(uint64_t(strides[i]));
}

/// Checks an array for a Julia kernel: its first dimension must be contiguous. False: a Python error is set.
bool PackedArguments::check_julia(const ValueType &type) const {
  if (!is_julia || type.rank == 0 || type.layout == 'F' || (type.layout == 'C' && type.rank == 1))
    return true;
  PyErr_Format(
      PyExc_ValueError,
      "a kernel in Julia takes arrays in columns, A[i, j] beside A[i + 1, j]: pass numpy.asfortranarray(x), or x.T of one in rows");
  return false;
}

void PackedArguments::push(const ValueType *type, const void *bytes, size_t size) {
  types_.push_back(type);
  begins_.push_back(uint32_t(words_.size()));
  words_.resize(words_.size() + std::max<size_t>(1, (size + 7) / 8));
  if (size) std::memcpy(words_.data() + begins_.back(), bytes, size);
}

bool PackedArguments::add(PyObject *argument) {
  if (tensor_class_ && Py_TYPE(argument) == tensor_class_) return add_tensor(argument, *tensor_api_);
  if (find_numpy() && Py_TYPE(argument) == numpy().array) return add_numpy(argument);
  if (PyFloat_CheckExact(argument)) {
    const double value = PyFloat_AsDouble(argument);
    return push(python_types().float64, &value, 8), true;
  }
  if (PyLong_CheckExact(argument)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(argument, &overflow);
    if (!overflow) return push(python_types().int64, &value, 8), true;
    const unsigned long long wide = overflow > 0 ? PyLong_AsUnsignedLongLong(argument) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_SetString(PyExc_OverflowError, "an integer argument has to fit 64 bits");
      return false;
    }
    return push(python_types().uint64, &wide, 8), true;
  }
  if (PyBool_Check(argument)) {
    const uint64_t value = argument == Py_True;
    return push(python_types().boolean, &value, 8), true;
  }
  if (PyComplex_CheckExact(argument)) {
    const double value[] = {PyComplex_RealAsDouble(argument), PyComplex_ImagAsDouble(argument)};
    return push(python_types().complex128, value, 16), true;
  }
  if (PyTuple_CheckExact(argument)) return add_tuple(argument);
  return add_other(argument);
}

bool PackedArguments::add_numpy(PyObject *argument) {
  const auto *array = reinterpret_cast<const NumpyArray *>(argument);
  Numpy::Element *of = element(array->dtype);
  const bool is_read_only = !(array->flags & is_writeable);
  const int layout = array->flags & c_contiguous ? 0 : array->flags & f_contiguous ? 1 : 2;
  if (!(array->flags & is_aligned)) {
    PyErr_SetString(PyExc_ValueError, "the elements of an array argument are not aligned: pass a copy of it");
    return false;
  }
  const ValueType **known =
      array->rank <= 4 ? &of->arrays[size_t((layout * 2 + is_read_only) * 5 + array->rank)] : nullptr;
  const ValueType *type = known ? *known : nullptr;
  if (!type) {
    type = array_type(of->type, array->rank, "CFA"[layout], is_read_only);
    if (known) *known = type;
  }
  int64_t shape[64];
  for (int i = 0; i < array->rank; i++) shape[i] = array->shape[i];
  static_assert(sizeof(intptr_t) == sizeof(int64_t));
  if (!check_julia(*type)) return false;
  add_array(type, reinterpret_cast<uint64_t>(array->data), {shape, size_t(array->rank)},
            reinterpret_cast<const int64_t *>(array->strides), true);
  return true;
}

/// Packs a tuple argument: its items in order, each at its own alignment.
bool PackedArguments::add_tuple(PyObject *argument) {
  PackedArguments items;
  TypeStructure structure{.kind = ValueKind::Tuple};
  for (Py_ssize_t i = 0; i < PyTuple_Size(argument); i++) {
    if (!items.add(PyTuple_GetItem(argument, i))) return false;
    structure.fields.push_back({.type = items.types().back()});
  }
  const ValueType *type = intern(std::move(structure));
  std::vector<std::byte> bytes(type->size);
  for (size_t i = 0; i < type->fields.size(); i++)
    if (const TypeField &item = type->fields[i]; item.type->size)
      std::memcpy(bytes.data() + item.offset, items.at(i), item.type->size);
  push(type, bytes.data(), bytes.size());
  if (items.stream) stream = items.stream;
  for (HostArray each : items.host_arrays_) {
    const size_t item = size_t(std::upper_bound(items.begins_.begin(), items.begins_.end(), each.word) -
                               items.begins_.begin()) -
                        1;
    each.word = begins_.back() + uint32_t(type->fields[item].offset / 8) + each.word - items.begins_[item];
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
    const ValueType *type = type_of_object(PyTuple_GetItem(held, 0));
    const bool is_right = type && !PyBytes_AsStringAndSize(PyTuple_GetItem(held, 1), &bytes, &size);
    if (is_right) push(type, bytes, size_t(size));
    Py_DECREF(held);
    if (!is_right && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "_kiln_packed holds no Type");
    return is_right;
  }
  if (numpy().array && PyObject_TypeCheck(argument, numpy().generic)) {
    nb::object dtype = nb::handle(argument).attr("dtype");
    const ValueType *type = element(dtype.ptr())->type;
    if (type->kind == ValueKind::Record) { // a record is passed by address: the kernel may write to it
      nb::object described = hooks().attr("view_of_record")(nb::handle(argument));
      return add_view(described.ptr());
    }
    Py_buffer view;
    if (PyObject_GetBuffer(argument, &view, PyBUF_SIMPLE)) return false;
    push(type, view.buf, size_t(view.len));
    PyBuffer_Release(&view);
    return true;
  }
  if (numpy().array && PyObject_TypeCheck(argument, numpy().array)) { // also a subclass
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
  // The function `view` returns ("host" or "device", element Type, address, shape, strides in bytes or None,
  // is read-only, layout), ("pointer", Type, address), ("named", tuple, item names) or ("value", another
  // object).
  nb::object described = hooks().attr("view")(nb::handle(argument));
  return add_view(described.ptr());
}

/// Adds a tensor of another library through DLPack's exchange API, without a capsule. The launch then uses
/// that library's current stream, so it runs after the library's earlier work.
bool PackedArguments::add_tensor(PyObject *argument, const dlpack::ExchangeApi &api) {
  dlpack::Tensor tensor{};
  if (api.borrow_tensor(argument, &tensor)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "an array argument is none that DLPack can show");
    return false;
  }
  const ValueType *type = tensor_type(tensor);
  const size_t rank = size_t(tensor.rank);
  if (!check_julia(*type)) return false;
  int64_t steps[64];
  for (size_t i = 0; tensor.strides && i < rank; i++)
    steps[i] = tensor.strides[i] * int64_t(type->element->size);
  const bool is_host = dlpack::is_on_host(tensor);
  const bool is_asked = asked_ == &api && asked_device_ == tensor.device.id; // in this launch
  void *current = nullptr;
  if (!is_host && !is_asked && api.current_stream &&
      !api.current_stream(tensor.device.type, tensor.device.id, &current)) {
    stream = reinterpret_cast<uint64_t>(current);
    asked_ = &api, asked_device_ = tensor.device.id;
  }
  add_array(type, reinterpret_cast<uint64_t>(tensor.data) + tensor.byte_offset, {tensor.shape, rank}, steps,
            is_host);
  return true;
}

bool PackedArguments::add_view(PyObject *described) {
  nb::handle all(described);
  const auto kind = nb::cast<std::string>(all[0]);
  if (kind == "value") return add(nb::object(all[1]).ptr());
  if (kind == "pointer") { // a bare address: a pointer argument for linked code
    const auto address = nb::cast<uint64_t>(all[2]);
    return push(checked_type(nb::object(all[1])), &address, 8), true;
  }
  if (kind == "named" && add(nb::object(all[1]).ptr())) { // named tuple: plain tuple, then item names
    TypeStructure type = *types_.back();
    type.kind = ValueKind::NamedTuple;
    for (size_t i = 0; i < type.fields.size(); i++) type.fields[i].name = nb::cast<std::string>(all[2][i]);
    types_.back() = intern(std::move(type));
  }
  if (kind == "named") return !PyErr_Occurred();
  nb::object shape = all[3], strides = all[4];
  const size_t rank = nb::len(shape);
  if (rank > 64) {
    PyErr_SetString(PyExc_ValueError, "an array argument has at most 64 dimensions");
    return false;
  }
  const ValueType *type = array_type(checked_type(nb::object(all[1])), int(rank),
                                     nb::cast<std::string>(all[6])[0], nb::cast<bool>(all[5]));
  int64_t extents[64], steps[64];
  for (size_t i = 0; i < rank; i++) extents[i] = nb::cast<int64_t>(shape[i]);
  const bool has_strides = !strides.is_none();
  for (size_t i = 0; has_strides && i < rank; i++) steps[i] = nb::cast<int64_t>(strides[i]);
  if (!check_julia(*type)) return false;
  add_array(type, nb::cast<uint64_t>(all[2]), {extents, rank}, has_strides ? steps : nullptr, kind == "host");
  return true;
}

} // namespace kiln::python
