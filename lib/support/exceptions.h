// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions of embedders' callbacks, which Kiln turns into errors.
#pragma once

#include <string>

namespace kiln {

/// In a catch clause: what the exception says.
std::string text_of_current_exception();

} // namespace kiln
