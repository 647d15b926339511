// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

/// What is wrong about lowered code, of which the rest may be right.
struct CodeFault {
  uint32_t statement = 0; ///< counted from 1; 0: the code as a whole
  Span at;
  std::string what;
};

/// The target of a jump to a label that has no place.
inline constexpr uint32_t unplaced_label = ~uint32_t(0);

/// All that there is: operands in range and defined before use in the flat order, targets in range, argument
/// counts of each Op right, control never falls off the end.
std::vector<CodeFault> code_faults(const CodeInfo &code);
/// Usage: a language made code that means nothing. One diagnostic a fault, with its place if `sources` are
/// given.
Error code_error(Symbol name, std::span<const CodeFault> faults, const SourceMap *sources);
Result<void> verify(const CodeInfo &code, const SourceMap *sources = nullptr);

} // namespace kiln
