// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interp.h"

namespace kiln {

/// Arithmetic, comparisons and conversions; see fold_intrinsic.
std::optional<Value> fold_numeric(TypeContext &types, Intrinsic op, std::span<const Value> args);
/// Builtins on immutable values and types. An Error where the language throws.
Result<std::optional<Value>> apply_builtin(TypeContext &types, Intrinsic op, std::span<const Value> args);

/// Folds Kiln's own functions on constant strings, given the arguments of foreign_call: kiln.string_size,
/// string_length, string_last, string_compare. No value: another function, or other arguments.
std::optional<Value> fold_string_function(TypeContext &types, std::span<const Value> args);

/// Fields of types: T.parameters, T.name.wrapper and similar.
Result<Value> type_field(TypeContext &types, TypeRef type, const Value &name);
Value tuple_value(TypeContext &types, std::span<const Value> elements);
/// Text of values, like string(...).
std::string text_of_values(std::span<const Value> values);

} // namespace kiln
