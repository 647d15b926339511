// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/argument.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace kiln {

namespace {

/// Makes `type` the text of its parts. The text of the launch before, which is the same as a rule, is only
/// compared.
void set_text(std::string &type, std::span<const std::string_view> parts) {
  size_t at = 0;
  const bool is_same = std::ranges::all_of(parts, [&](std::string_view part) {
    const bool found = type.compare(at, part.size(), part) == 0;
    at += found ? part.size() : 0;
    return found;
  });
  if (is_same && at == type.size()) return;
  type.clear();
  for (std::string_view part : parts) type += part;
}

} // namespace

Argument Argument::array_of(const std::string &element, void *data, const std::vector<int64_t> &dims,
                            size_t element_size) {
  Argument a;
  a.set_array(element, data, dims, element_size);
  return a;
}

void Argument::set_array(std::string_view element, void *data, std::span<const int64_t> dims,
                         size_t element_size) {
  char digits[20];
  const char *end = std::to_chars(digits, digits + sizeof digits, dims.size()).ptr;
  set_text(type, std::array<std::string_view, 5>{"CuDeviceArray{", element, ", ", {digits, end}, ", 1}"});
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
