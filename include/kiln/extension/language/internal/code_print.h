// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/code.h>
#include <kiln/extension/language/source.h>

namespace kiln {

/// Formats lowered code like Julia's code_lowered: one statement per line, "%3 = Base.:+(x, 1)". With
/// `sources`, adds a comment "file:line" where the source line changes.
KILN_API std::string to_string(const CodeInfo &code, const SourceMap *sources = nullptr);
KILN_API std::string to_string(const CodeInfo &code, Operand operand);
KILN_API std::string to_string(const CodeInfo &code, const Stmt &stmt);

} // namespace kiln
