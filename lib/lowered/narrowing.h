// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises calls that narrow the types of their arguments if a branch tests their result, such as isa(x,
// T). Only the callee's name is compared; inference checks what the name is bound to. Internal to the
// component.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

enum class ConditionKind : uint8_t {
  None,
  IsA,      ///< isa(x, T), isnothing(x): narrows the type of x
  Identity, ///< x === y, x !== y: narrows the types of both
  Not,      ///< !condition
};

/// Kind of condition that a Call statement is. Works on flat code and on SSA form, whose callee operands are
/// equal.
ConditionKind condition_kind(const CodeInfo &code, const Stmt &call);

} // namespace kiln
