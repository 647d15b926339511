// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the interpreter that only Kiln's own components use, besides its class.
#pragma once

#include <kiln/extension/language/interpreter.h>

namespace kiln {

/// The result of an intrinsic on constants. No value: it cannot be folded (memory, device, undefined result
/// such as a division by zero, or argument kinds that do not fit).
KILN_API std::optional<Value> fold_intrinsic(TypeContext &types, Intrinsic intrinsic,
                                             std::span<const Value> args);

/// Binds the host functions of this component (zeros, ones, rand, fill, collect of ranges, size, getindex of
/// host arrays, string, ...) in Base. Called once a session, before runtime/library is loaded.
KILN_API Result<void> add_host_library(Interpreter &interpreter);

} // namespace kiln
