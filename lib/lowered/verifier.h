// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/code.h>

namespace kiln {

/// Operands in range and defined before use in the flat order, targets in range, argument counts of each
/// Op right, control never falls off the end. Error: Internal.
Result<void> verify(const CodeInfo &code);

} // namespace kiln
