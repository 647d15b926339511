// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats diagnostics as text: "file:line:column: name: message", the source line with a caret, the source
// stack, notes and hint.
#pragma once

#include <kiln/result.h>

#include <string>
#include <string_view>

namespace kiln {

KILN_PROGRAMS_API std::string render(const Diagnostic &diagnostic, bool colour = false);
KILN_PROGRAMS_API std::string render(const Error &error, bool colour = false);
/// The diagnostic without its message: place, source line, stack, notes and hint, each on a new line.
KILN_PROGRAMS_API std::string render_details(const Diagnostic &diagnostic, bool colour = false);
/// "NAME message", with the name in an error's colour.
KILN_PROGRAMS_API std::string render_headline(std::string_view name, std::string_view message, bool colour);

} // namespace kiln
