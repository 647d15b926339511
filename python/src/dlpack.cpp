// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dlpack.h"

#include "engine.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <unordered_map>
#include <vector>

namespace nb = nanobind;

namespace kiln::python::dlpack {

namespace {

struct ManagedTensor {
  Tensor tensor;
  void *held;
  void (*destroy)(ManagedTensor *);
};
struct VersionedTensor {
  uint32_t major, minor;
  void *held;
  void (*destroy)(VersionedTensor *);
  uint64_t flags;
  Tensor tensor;
};
constexpr uint64_t is_read_only = 1;

struct Name {
  uint8_t code, bits;
  const char *name;
};
/// DLPack's type codes: 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool.
constexpr Name names[] = {
    {0, 8, "int8"},     {0, 16, "int16"},   {0, 32, "int32"},  {0, 64, "int64"},     {1, 8, "uint8"},
    {1, 16, "uint16"},  {1, 32, "uint32"},  {1, 64, "uint64"}, {4, 16, "bfloat16"},  {2, 16, "float16"},
    {2, 32, "float32"}, {2, 64, "float64"}, {6, 8, "bool"},    {5, 64, "complex64"}, {5, 128, "complex128"}};

bool is_compact(const Tensor &tensor, bool columns) {
  int64_t step = 1;
  for (int32_t i = 0; i < tensor.rank; i++) {
    const int32_t axis = columns ? i : tensor.rank - 1 - i;
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) return false;
    step *= tensor.shape[axis];
  }
  return true;
}

/// Describes the tensor in a DLPack capsule, as the tuple that kiln._arguments.view returns.
nb::tuple view(nb::object capsule) {
  const bool is_versioned = PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned");
  void *pointer = PyCapsule_GetPointer(capsule.ptr(), is_versioned ? "dltensor_versioned" : "dltensor");
  if (!pointer) throw nb::python_error();
  const auto *versioned = static_cast<VersionedTensor *>(pointer);
  if (is_versioned && versioned->major > 1)
    throw nb::value_error("__dlpack__ gave a capsule of a version that Kiln does not read (above 1)");
  const Tensor &tensor = is_versioned ? versioned->tensor : static_cast<ManagedTensor *>(pointer)->tensor;
  check(tensor);
  nb::list shape, strides;
  const int64_t size = (int64_t(tensor.dtype.bits) + 7) / 8;
  for (int32_t i = 0; i < tensor.rank; i++) {
    shape.append(tensor.shape[i]);
    if (tensor.strides) strides.append(tensor.strides[i] * size);
  }
  // The capsule stays unused. Its destructor releases the tensor; the Python object still owns the memory.
  const nb::object steps = tensor.strides ? nb::object(nb::tuple(strides)) : nb::none();
  return nb::make_tuple(
      is_on_host(tensor) ? "host" : "device", nb::cast(type_of(tensor.dtype), nb::rv_policy::reference),
      reinterpret_cast<uint64_t>(tensor.data) + tensor.byte_offset, nb::tuple(shape), steps,
      is_versioned && (versioned->flags & is_read_only), nb::str(std::string(1, layout_of(tensor)).c_str()));
}

/// Content of a capsule that Kiln exports: the tensor, the storage of its shape and strides, and its Python
/// owner.
template <class T> struct Exported {
  T tensor;
  std::vector<int64_t> extents;
  PyObject *owner;
};
template <class T> void destroy(T *tensor) {
  auto *held = static_cast<Exported<T> *>(tensor->held);
  if (Py_IsInitialized()) {
    nb::gil_scoped_acquire gil;
    Py_DECREF(held->owner);
    delete held;
  }
}
template <class T> const char *capsule_name();
template <> const char *capsule_name<ManagedTensor>() { return "dltensor"; }
template <> const char *capsule_name<VersionedTensor>() { return "dltensor_versioned"; }
template <class T> void destroy_capsule(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, capsule_name<T>())) return; // renamed: a consumer owns the tensor
  auto *tensor = static_cast<T *>(PyCapsule_GetPointer(capsule, capsule_name<T>()));
  tensor->destroy(tensor);
}

template <class T>
nb::object exported(nb::object owner, uint64_t address, const std::vector<int64_t> &shape,
                    const std::vector<int64_t> &strides, DataType type, Device device, bool read_only) {
  auto *held = new Exported<T>{};
  held->extents = shape;
  held->extents.insert(held->extents.end(), strides.begin(), strides.end());
  held->owner = owner.release().ptr();
  Tensor &tensor = held->tensor.tensor;
  tensor = {reinterpret_cast<void *>(address),   device, int32_t(shape.size()), type, held->extents.data(),
            held->extents.data() + shape.size(), 0};
  held->tensor.held = held;
  held->tensor.destroy = destroy<T>;
  if constexpr (std::is_same_v<T, VersionedTensor>) {
    held->tensor.major = 1, held->tensor.minor = 0;
    held->tensor.flags = read_only ? is_read_only : 0;
  }
  return nb::steal(PyCapsule_New(&held->tensor, capsule_name<T>(), destroy_capsule<T>));
}

nb::object capsule(nb::object owner, uint64_t address, const std::vector<int64_t> &shape,
                   const std::vector<int64_t> &strides, const ValueType *element, int device, bool read_only,
                   bool is_versioned) {
  if (device >= first_opencl_device)
    throw nb::buffer_error(
        "an array on an OpenCL device is not exported by DLPack, whose OpenCL arrays are cl_mem "
        "objects: copy_to_host() copies it");
  for (const Name &each : names)
    if (element == number_type(each.name)) {
      const DataType type{each.code, each.bits, 1};
      const Device on{device < 0 ? cpu : cuda, std::max(device, 0)};
      return is_versioned ? exported<VersionedTensor>(owner, address, shape, strides, type, on, read_only)
                          : exported<ManagedTensor>(owner, address, shape, strides, type, on, read_only);
    }
  throw nb::type_error(("DLPack has no elements of type " + to_text(*element)).c_str());
}

} // namespace

const ExchangeApi *exchange_api(PyObject *object) {
  static auto *known = new std::unordered_map<PyTypeObject *, const ExchangeApi *>; // guarded by the GIL
  PyTypeObject *type = Py_TYPE(object);
  if (auto found = known->find(type); found != known->end()) return found->second;
  const ExchangeApi *api = nullptr;
  if (PyObject *held =
          PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__dlpack_c_exchange_api__")) {
    if (PyCapsule_IsValid(held, "dlpack_exchange_api"))
      api = static_cast<const ExchangeApi *>(PyCapsule_GetPointer(held, "dlpack_exchange_api"));
    if (api && (api->header.major != 1 || !api->borrow_tensor)) api = nullptr;
    Py_DECREF(held);
  } else {
    PyErr_Clear();
  }
  Py_INCREF(reinterpret_cast<PyObject *>(type)); // keeps the type's address unique
  known->emplace(type, api);
  return api;
}

const ValueType *type_of(DataType type) {
  for (const Name &each : names)
    if (type.lanes == 1 && type.code == each.code && type.bits == each.bits) return number_type(each.name);
  return nullptr;
}

bool is_on_host(const Tensor &tensor) { return tensor.device.type == cpu || tensor.device.type == cuda_host; }

char layout_of(const Tensor &tensor) {
  if (!tensor.strides) return 'C';
  for (int32_t i = 0; i < tensor.rank; i++)
    if (!tensor.shape[i]) return 'C';
  return is_compact(tensor, false) ? 'C' : is_compact(tensor, true) ? 'F' : 'A';
}

/// Throws if a size is negative, all elements together exceed 63 bits of bytes, or their address is null.
static void check_shape(const Tensor &tensor) {
  __int128 bytes = (int64_t(tensor.dtype.bits) + 7) / 8;
  for (int32_t i = 0; i < tensor.rank; i++) {
    if (tensor.shape[i] < 0)
      throw nb::value_error(
          ("the shape of a DLPack array has the negative size " + std::to_string(tensor.shape[i])).c_str());
    bytes *= tensor.shape[i];
    if (bytes > std::numeric_limits<int64_t>::max())
      throw nb::value_error("the shape of a DLPack array asks for more bytes than 64 bits address");
  }
  if (bytes && !tensor.data) throw nb::value_error("the data of a DLPack array is a null pointer");
}

void check_place(const Tensor &tensor) {
  check_shape(tensor);
  const int32_t type = tensor.device.type;
  if (type != cpu && type != cuda && type != cuda_host && type != cuda_managed)
    throw nb::value_error(("an array on a device of DLPack's type " + std::to_string(type) +
                           " is no argument of kernels: there are the CPU (1) and CUDA (2, 3, 13)")
                              .c_str());
  const size_t size = size_t(tensor.dtype.bits) / 8;
  const size_t align = std::max<size_t>(tensor.dtype.code == 5 ? size / 2 : size, 1);
  if ((reinterpret_cast<uint64_t>(tensor.data) + tensor.byte_offset) % align)
    throw nb::value_error("the elements of an array argument are not aligned: pass a copy of it");
}

void check(const Tensor &tensor) {
  if (tensor.rank < 0 || tensor.rank > 64) throw nb::value_error("an array argument has 0 to 64 dimensions");
  if (!type_of(tensor.dtype))
    throw nb::type_error(("arrays of DLPack's element type " + std::to_string(tensor.dtype.code) + " of " +
                          std::to_string(tensor.dtype.bits) + " bits are no arguments of kernels")
                             .c_str());
  check_place(tensor);
}

void add(nb::module_ &m) {
  m.def("dlpack_view", &view);
  m.def("dlpack_capsule", &capsule, nb::arg("owner"), nb::arg("address"), nb::arg("shape"),
        nb::arg("strides"), nb::arg("element"), nb::arg("device"), nb::arg("read_only"),
        nb::arg("versioned"));
}

} // namespace kiln::python::dlpack
