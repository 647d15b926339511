// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the tree of a Python function (syntax.h) to Kiln's lowered code. Operators become calls of
// python/library, which defines the types of their results.
#pragma once

#include "engine.h"

namespace kiln::python {

/// Appends the code of `function` to `body`. Call it on the compiling thread, without the GIL. Errors: Input,
/// for unsupported syntax.
Result<Operand> lower(Engine &engine, const Function &function, BodyBuilder &body);

} // namespace kiln::python
