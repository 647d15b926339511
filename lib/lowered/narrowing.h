// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls say something of their arguments' types when used as a condition. Only by name: what the name
// stands for is for inference to see. Internal to the component.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

enum class ConditionKind : uint8_t {
  None,
  IsA,      ///< isa(x, T), isnothing(x): speaks of argument 1
  Identity, ///< x === y, x !== y: of both
  Not,      ///< !condition
};

/// Of a Call, in slot form or SSA form (the callee's operand is the same in both).
ConditionKind condition_kind(const CodeInfo &code, const Stmt &call);

} // namespace kiln
