// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// `text` as a JSON string, with its quotes. Bytes above 0x7f pass as they are (UTF-8).
std::string json_string(std::string_view text);

} // namespace kiln
