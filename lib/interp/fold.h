// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interp.h"

namespace kiln {

/// Computes arithmetic, comparisons and conversions on constants; called by fold_intrinsic.
std::optional<Value> fold_numeric(TypeContext &types, Intrinsic op, std::span<const Value> args);
/// Computes builtins on immutable values and types. Returns an Error where the language throws an exception.
Result<std::optional<Value>> apply_builtin(TypeContext &types, Intrinsic op, std::span<const Value> args);

/// Computes Kiln's internal functions on constant strings: kiln.string_size, string_length, string_last,
/// string_compare. `args`: the arguments of foreign_call. No value: another function, or arguments that are
/// not strings.
std::optional<Value> fold_string_function(TypeContext &types, std::span<const Value> args);

/// Returns a field of a type object, such as T.parameters or T.name.wrapper.
Result<Value> type_field(TypeContext &types, TypeRef type, const Value &name);
Value tuple_value(TypeContext &types, std::span<const Value> elements);
/// Text of values, like string(...).
std::string text_of_values(std::span<const Value> values);

} // namespace kiln
