// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes arrays of other libraries as arguments. Implements kiln/foreign.h.
#include "device.h"

#include <kiln/foreign.h>

#include <fmt/ranges.h>

#include <bit>
#include <charconv>

namespace kiln {

namespace {

struct Element {
  std::string name; ///< name of the element type in Julia; empty: no such type
  uint64_t bytes = 0;
};

/// Finds the element type. `kind`: letter of NumPy (i u f c b), or B for bfloat.
Element element_of(char kind, uint32_t bits) {
  auto sized = [&](std::string_view prefix, std::initializer_list<uint32_t> sizes) -> Element {
    for (uint32_t each : sizes)
      if (each == bits) return {fmt::format("{}{}", prefix, bits), bits / 8};
    return {};
  };
  switch (kind) {
  case 'i': return sized("Int", {8, 16, 32, 64, 128});
  case 'u': return sized("UInt", {8, 16, 32, 64, 128});
  case 'f': return sized("Float", {16, 32, 64});
  case 'B': return bits == 16 ? Element{"BFloat16", 2} : Element{};
  case 'b': return bits == 8 ? Element{"Bool", 1} : Element{};
  case 'c':
    return bits == 64 || bits == 128 || bits == 32
               ? Element{fmt::format("Complex{{Float{}}}", bits / 2), bits / 8}
               : Element{};
  default: return {};
  }
}

Result<Element> element_of(const dlpack::DataType &type) {
  constexpr char kinds[] = {'i', 'u', 'f', 0, 'B', 'c', 'b'};
  Element element =
      type.lanes == 1 && type.code < sizeof kinds ? element_of(kinds[type.code], type.bits) : Element();
  if (!element.name.empty()) return element;
  return usage_error(
      fmt::format("the language has no type for DLPack's elements of code {}, {} bits and {} lanes",
                  type.code, type.bits, type.lanes));
}

/// Strides in bytes; empty: row-major.
Result<Argument> make_argument(void *data, const Element &element, std::span<const int64_t> shape,
                               std::span<const int64_t> strides, const ForeignOptions &options) {
  size_t rank = shape.size();
  if (rank == 0) return usage_error("an array without dimensions: pass its element as a scalar");
  std::vector<int64_t> dims(shape.begin(), shape.end());
  std::vector<int64_t> compact(rank);
  bool empty = false;
  uint64_t length = 1;
  for (int64_t d : dims) {
    if (d < 0) return usage_error(fmt::format("an array of {} elements", fmt::join(dims, "x")));
    empty |= d == 0;
    if (d && length > uint64_t(INT64_MAX) / element.bytes / uint64_t(d))
      return usage_error(fmt::format("an array of {} elements of {} bytes has more bytes than there are",
                                     fmt::join(dims, "x"), element.bytes));
    length *= uint64_t(std::max<int64_t>(d, 1));
  }
  // Index of the i-th dimension in memory order, starting with the contiguous one.
  auto place = [&](size_t i) { return options.reverse_dimensions ? rank - 1 - i : i; };
  int64_t step = int64_t(element.bytes);
  for (size_t i = 0; i < rank; i++) {
    compact[place(i)] = step;
    step *= dims[place(i)];
  }
  bool fits = true;
  size_t long_dimensions = 0;
  for (size_t i = 0; i < rank; i++) {
    long_dimensions += dims[i] > 1;
    if (!strides.empty() && dims[i] > 1) fits &= strides[i] == compact[i];
  }
  // Without strides the array is row-major. Row-major and column-major layouts agree if at most one dimension
  // is longer than 1.
  if (strides.empty()) fits = options.reverse_dimensions || long_dimensions <= 1;
  if (!fits && !empty) {
    std::string has =
        strides.empty() ? "is row-major" : fmt::format("has strides of {} bytes", fmt::join(strides, ", "));
    return usage_error(fmt::format(
        "an array of {} elements of {} {}, which is not compact and {} as the language's arrays are {}: {}, or copy it",
        fmt::join(dims, "x"), element.name, has, options.reverse_dimensions ? "row-major" : "column-major",
        options.reverse_dimensions ? "with dimensions reversed" : "",
        options.reverse_dimensions ? "ForeignOptions::reverse_dimensions = false takes column-major memory"
                                   : "ForeignOptions::reverse_dimensions takes row-major memory"));
  }
  if (options.reverse_dimensions) std::reverse(dims.begin(), dims.end());
  return Argument::array_of(element.name, data, dims, element.bytes);
}

} // namespace

Result<std::string> KILN_API_VERSION::language_type(const dlpack::DataType &type) {
  KILN_TRY(Element element, element_of(type));
  return std::move(element.name);
}

Result<Argument> KILN_API_VERSION::argument_of(const dlpack::Tensor &t, const Device &device,
                                               const ForeignOptions &options) {
  enum : int32_t { Cpu = 1, Cuda = 2 };
  if (!device) return empty_device();
  if (!state_of(device)->reaches(t.device)) {
    std::string where = t.device.type == Cuda  ? fmt::format("GPU {}", t.device.id)
                        : t.device.type == Cpu ? "the CPU"
                                               : fmt::format("a device of DLPack's type {}", t.device.type);
    return usage_error(
        fmt::format("the tensor lies on {}, and the kernel runs on {}: copy it there (Stream::copy)", where,
                    state_of(device)->place()));
  }
  KILN_TRY(Element element, element_of(t.dtype));
  if (t.ndim < 0 || (t.ndim > 0 && !t.shape)) return usage_error("a tensor without a shape");
  size_t rank = size_t(t.ndim);
  std::vector<int64_t> strides;
  if (t.strides)
    for (size_t i = 0; i < rank; i++) strides.push_back(int64_t(uint64_t(t.strides[i]) * element.bytes));
  return make_argument(static_cast<std::byte *>(t.data) + t.byte_offset, element, {t.shape, rank}, strides,
                       options);
}

Result<Argument> KILN_API_VERSION::argument_of(const CudaArrayInterface &array, const Device &device,
                                               const ForeignOptions &options) {
  if (device.kind() != DeviceKind::Cuda)
    return usage_error("a CUDA array is for a GPU's kernels in CUDA: copy it to the host (Stream::copy)");
  std::string_view type = array.typestr;
  uint32_t bytes = 0;
  Element element;
  if (type.size() >= 3 && (type[0] == '<' || type[0] == '|') &&
      std::from_chars(type.data() + 2, type.data() + type.size(), bytes).ptr == type.data() + type.size() &&
      bytes <= 16)
    element = element_of(type[1], 8 * bytes);
  if (element.name.empty())
    return usage_error(fmt::format("the language has no type for elements of typestr `{}`", type));
  if (array.read_only && !options.allow_read_only)
    return usage_error(
        "the array is read-only: ForeignOptions::allow_read_only passes it to a kernel that does not write to it");
  if (!array.strides.empty() && array.strides.size() != array.shape.size())
    return usage_error(
        fmt::format("an array of {} dimensions with {} strides", array.shape.size(), array.strides.size()));
  KILN_CHECK(state_of(device)->check_pointer(uint64_t(reinterpret_cast<uintptr_t>(array.data))));
  return make_argument(array.data, element, array.shape, array.strides, options);
}

} // namespace kiln
