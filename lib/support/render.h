// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats diagnostics as text: "file:line:column: name: message", the source line with a caret, the source
// stack, notes and hint.
#pragma once

#include <kiln/result.h>

#include <string>

namespace kiln {

KILN_PROGRAMS_API std::string render(const Diagnostic &diagnostic, bool colour = false);
std::string render(const Error &error, bool colour = false);

} // namespace kiln
