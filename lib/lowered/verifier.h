// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

/// A fault in lowered code. Other statements of the code may be valid.
struct CodeFault {
  uint32_t statement = 0; ///< number of the statement, from 1; 0: the code as a whole
  Span at;
  std::string what;
};

/// Value of a jump target whose label was never placed.
inline constexpr uint32_t unplaced_label = ~uint32_t(0);

/// Returns all faults of the code. Valid code has operands in range that are defined before their use, and
/// jump targets in range. Each Op has the right number of arguments, and the last statement is a terminator.
std::vector<CodeFault> code_faults(const CodeInfo &code);
/// Makes the usage error for invalid code from a frontend: one diagnostic per fault, with its location if
/// `sources` are given.
Error code_error(Symbol name, std::span<const CodeFault> faults, const SourceMap *sources);
Result<void> verify(const CodeInfo &code, const SourceMap *sources = nullptr);

} // namespace kiln
