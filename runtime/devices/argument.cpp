// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/argument.h>

#include <fmt/format.h>

namespace kiln {

Argument Argument::array_of(const std::string &element, void *data, const std::vector<int64_t> &dims,
                            size_t element_size) {
  Argument a;
  a.type = fmt::format("CuDeviceArray{{{}, {}, 1}}", element, dims.size());
  // What is negative, or too much for 64 bits, is the launch's to refuse (check_arguments): here it wraps.
  uint64_t length = 1;
  for (int64_t d : dims) length *= uint64_t(d);
  // abi::ArrayHeader: pointer, size in bytes, dimensions, length.
  std::vector<uint64_t> words{uint64_t(reinterpret_cast<uintptr_t>(data)), length * uint64_t(element_size)};
  words.insert(words.end(), dims.begin(), dims.end());
  words.push_back(length);
  a.bytes.resize(words.size() * sizeof(uint64_t));
  std::memcpy(a.bytes.data(), words.data(), a.bytes.size());
  return a;
}

} // namespace kiln
