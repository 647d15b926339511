// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/code.h>
#include <kiln/extension/language/source.h>

namespace kiln {

/// As Julia's code_lowered prints: one statement a line, "%3 = Base.:+(x, 1)", with "file:line" comments
/// where the line changes if `sources` is given.
KILN_API std::string to_string(const CodeInfo &code, const SourceMap *sources = nullptr);
KILN_API std::string to_string(const CodeInfo &code, Operand operand);
KILN_API std::string to_string(const CodeInfo &code, const Stmt &stmt);

} // namespace kiln
