// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interp.h"

namespace kiln {

/// Arithmetic, comparisons and conversions; see fold_intrinsic.
std::optional<Value> fold_numeric(TypeContext &types, Intrinsic op, std::span<const Value> args);
/// Builtins on immutable values and types; an Error where the language would throw.
Result<std::optional<Value>> apply_builtin(TypeContext &types, Intrinsic op, std::span<const Value> args);

/// A call of one of the compiler's own functions of constant strings, by the arguments of foreign_call:
/// kiln.string_size, string_length, string_last, string_compare. No value: it is another function, or not of
/// strings.
std::optional<Value> fold_string_function(TypeContext &types, std::span<const Value> args);

/// T.parameters, T.name.wrapper and the like.
Result<Value> type_field(TypeContext &types, TypeRef type, const Value &name);
Value tuple_value(TypeContext &types, std::span<const Value> elements);
/// The text of values, as string(...) makes it.
std::string text_of_values(std::span<const Value> values);

} // namespace kiln
