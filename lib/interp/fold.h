// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interp.h"

namespace kiln {

/// Arithmetic, comparisons and conversions; see fold_intrinsic.
std::optional<Value> fold_numeric(TypeContext &types, Intrinsic op, std::span<const Value> args);
/// Builtins on immutable values and types; an Error where the language would throw.
Result<std::optional<Value>> apply_builtin(TypeContext &types, Intrinsic op, std::span<const Value> args);

} // namespace kiln
