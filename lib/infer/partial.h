// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "typed.h"

namespace kiln {

/// True if the function may return a value whose type inference does not know, because of a fault. A join
/// ignores such values. A call that throws a MethodError in Julia too gives no value.
bool has_partial_result(TypeContext &types, const CodeInstance &code);
/// As has_partial_result(), but takes CodeInstance::is_partial of the callees, which is false in a call
/// cycle.
bool returns_partial_value(TypeContext &types, const CodeInstance &code);

} // namespace kiln
