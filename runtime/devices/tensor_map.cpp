// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes tensor maps (kiln/tensor_map.h): checks common to all devices, and the CPU's encoding.
#include "tensor_map.h"

#include "device.h"

#include <algorithm>
#include <bit>

namespace kiln {

namespace {

struct TensorElement {
  std::string_view name;
  uint32_t bytes;
  int cuda; ///< CUtensorMapDataType
};
constexpr TensorElement elements[] = {{"UInt8", 1, 0},   {"Int8", 1, 0},    {"UInt16", 2, 1},
                                      {"Int16", 2, 1},   {"UInt32", 4, 2},  {"Int32", 4, 3},
                                      {"UInt64", 8, 4},  {"Int64", 8, 5},   {"Float16", 2, 6},
                                      {"Float32", 4, 7}, {"Float64", 8, 8}, {"BFloat16", 2, 9}};
constexpr uint64_t max_length = uint64_t(1) << 32, max_stride = uint64_t(1) << 40;
constexpr uint32_t max_box = 256, grain = 16;

Error refused(const std::string &why) { return usage_error("no tensor map: " + why); }

Result<void> check_strides(const TensorMapOptions &options, TensorMapShape &shape) {
  const size_t rank = options.lengths.size();
  if (!options.strides.empty() && options.strides.size() + 1 != rank)
    return refused(fmt::format("{} dimensions have {} strides, and {} were given: the first one's is an "
                               "element",
                               rank, rank - 1, options.strides.size()));
  uint64_t compact = shape.element_bytes;
  for (size_t i = 0; i + 1 < rank; i++) {
    compact *= options.lengths[i];
    const uint64_t stride = options.strides.empty() ? compact : options.strides[i];
    if (stride % grain || stride >= max_stride)
      return refused(fmt::format("the stride of dimension {} is {} bytes: a multiple of 16 below 2^40 is "
                                 "wanted",
                                 i + 2, stride));
    shape.strides[i] = stride;
  }
  return {};
}

Result<TensorMapShape> checked(const TensorMapOptions &options) {
  const auto *element = std::ranges::find(elements, options.element, &TensorElement::name);
  if (element == std::end(elements))
    return refused(fmt::format("{} is no type of its elements: numbers of 8 to 64 bits and BFloat16 are",
                               options.element));
  const size_t rank = options.lengths.size();
  if (rank < 1 || rank > 5) return refused(fmt::format("an array of {} dimensions: 1 to 5 are wanted", rank));
  if (options.box.size() != rank)
    return refused(fmt::format("a box of {} dimensions for an array of {}", options.box.size(), rank));
  TensorMapShape shape{.cuda_type = element->cuda, .element_bytes = element->bytes};
  shape.address = uint64_t(reinterpret_cast<uintptr_t>(options.data));
  if (!shape.address || shape.address % grain)
    return refused("the array must begin at a multiple of 16 bytes, and not at null");
  for (size_t i = 0; i < rank; i++) {
    if (options.lengths[i] < 1 || options.lengths[i] > max_length)
      return refused(
          fmt::format("{} elements in dimension {}: 1 to 2^32 are wanted", options.lengths[i], i + 1));
    if (options.box[i] < 1 || options.box[i] > max_box)
      return refused(
          fmt::format("a box of {} elements in dimension {}: 1 to 256 are wanted", options.box[i], i + 1));
  }
  KILN_CHECK(check_strides(options, shape));
  const uint64_t row = uint64_t(options.box[0]) * element->bytes, swizzle = options.swizzle_bytes;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return refused(fmt::format("a swizzle over {} bytes: 32, 64 and 128 are there, and 0 for none", swizzle));
  if (options.nan_outside && element->cuda < 6)
    return refused(fmt::format("{} has no NaN to read outside the array", options.element));
  if (row % grain)
    return refused(fmt::format("the box's rows have {} bytes: multiples of 16 are wanted", row));
  if (swizzle && row != swizzle)
    return refused(fmt::format("the box's rows have {} bytes and are swizzled over {}: they must be as long",
                               row, swizzle));
  return shape;
}

} // namespace

/// Layout as read by runtime/library/device/tensor_map.jl.
void encode_for_cpu(const TensorMapOptions &options, const TensorMapShape &shape, uint64_t *words) {
  words[0] = shape.address;
  for (size_t i = 0; i < options.lengths.size(); i++) {
    words[1 + i] = options.lengths[i];
    words[i < 4 ? 10 : 11] |= uint64_t(options.box[i]) << (i < 4 ? 16 * i : 0);
  }
  std::copy(shape.strides.begin(), shape.strides.end(), words + 6);
  words[11] |= uint64_t(options.swizzle_bytes) << 32 | uint64_t(options.nan_outside) << 48;
}

Result<TensorMap> TensorMap::make(const Device &device, const TensorMapOptions &options) {
  KILN_CHECK(check_device(state_of(device).get()));
  KILN_TRY(TensorMapShape shape, checked(options));
  TensorMap map;
  map.type_ = fmt::format("CUDA.Hopper.TensorMap{{{}, {}}}", options.element, options.lengths.size());
  KILN_CHECK(state_of(device)->encode(options, shape, map.words_));
  return map;
}

Argument TensorMap::argument() const {
  Argument a{type_, std::vector<std::byte>(bytes)};
  std::memcpy(a.bytes.data(), words_, bytes);
  return a;
}

} // namespace kiln
