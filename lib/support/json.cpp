// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json.h"

#include <cstdint>
#include <fmt/format.h>

namespace kiln {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\', out += c;
    else if (uint8_t(c) < 0x20) out += fmt::format("\\u{:04x}", unsigned(uint8_t(c)));
    else out += c;
  }
  return out + '"';
}

} // namespace kiln
