// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the interpreter that only Kiln's own components use.
#pragma once

#include <kiln/extension/language/interpreter.h>

namespace kiln {

/// Folds an intrinsic: returns its result on constants. No value if it cannot be folded: it uses memory or
/// the device, its result is undefined (division by zero), or the arguments have wrong types.
KILN_API std::optional<Value> fold_intrinsic(TypeContext &types, Intrinsic intrinsic,
                                             std::span<const Value> args);

/// Binds the interpreter's host functions in Base: zeros, ones, rand, fill, collect of ranges, size, getindex
/// of host arrays, string and others. Called once per session, before runtime/library is loaded.
KILN_API Result<void> add_host_library(Interpreter &interpreter);

} // namespace kiln
