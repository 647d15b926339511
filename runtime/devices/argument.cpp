// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/argument.h>

#include <fmt/format.h>

#include <iterator>

namespace kiln {

Argument Argument::array_of(const std::string &element, void *data, const std::vector<int64_t> &dims,
                            size_t element_size) {
  Argument a;
  a.set_array(element, data, dims, element_size);
  return a;
}

void Argument::set_array(std::string_view element, void *data, std::span<const int64_t> dims,
                         size_t element_size) {
  type.clear();
  fmt::format_to(std::back_inserter(type), "CuDeviceArray{{{}, {}, 1}}", element, dims.size());
  // What is negative, or too much for 64 bits, is the launch's to refuse (check_arguments): here it wraps.
  uint64_t length = 1;
  for (int64_t d : dims) length *= uint64_t(d);
  // abi::ArrayHeader: pointer, size in bytes, dimensions, length.
  bytes.resize((dims.size() + 3) * sizeof(uint64_t));
  auto put = [&](size_t word, uint64_t value) {
    std::memcpy(&bytes[word * sizeof value], &value, sizeof value);
  };
  put(0, uint64_t(reinterpret_cast<uintptr_t>(data)));
  put(1, length * uint64_t(element_size));
  for (size_t i = 0; i < dims.size(); i++) put(2 + i, uint64_t(dims[i]));
  put(2 + dims.size(), length);
}

} // namespace kiln
