// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that, as a condition, narrow the types of their arguments. Recognised by name only; inference checks
// the binding. Internal to the component.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

enum class ConditionKind : uint8_t {
  None,
  IsA,      ///< isa(x, T), isnothing(x): narrows argument 1
  Identity, ///< x === y, x !== y: narrows both
  Not,      ///< !condition
};

/// Kind of a Call, in slot form or SSA form (the callee's operand is the same in both).
ConditionKind condition_kind(const CodeInfo &code, const Stmt &call);

} // namespace kiln
