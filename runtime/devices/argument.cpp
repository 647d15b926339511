// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/argument.h>
#include <kiln/array_header.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace kiln {

namespace {

/// Sets `type` to the concatenated parts. An argument usually has the type of the last launch, so the text is
/// compared before it is written.
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
  bytes.resize(array_header_bytes(dims.size()));
  write_array_header(bytes.data(), data, dims, element_size);
}

} // namespace kiln
