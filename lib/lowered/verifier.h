// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

/// A fault in lowered code. The rest of the code may be valid.
struct CodeFault {
  uint32_t statement = 0; ///< counted from 1; 0: the code as a whole
  Span at;
  std::string what;
};

/// Target of a jump to a label that was never placed.
inline constexpr uint32_t unplaced_label = ~uint32_t(0);

/// All faults. Operands must be in range and defined before use in the flat order, and jump targets in range.
/// Each Op must have the right number of arguments. Control must not fall off the end.
std::vector<CodeFault> code_faults(const CodeInfo &code);
/// Usage error for invalid code from a language: one diagnostic per fault, with its place if `sources` are
/// given.
Error code_error(Symbol name, std::span<const CodeFault> faults, const SourceMap *sources);
Result<void> verify(const CodeInfo &code, const SourceMap *sources = nullptr);

} // namespace kiln
