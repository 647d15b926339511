// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers a function's tree to code. Operators become calls of the library, which defines their types.
#pragma once

#include "engine.h"

namespace kiln::python {

/// Appends the body of `function`. Call it on the compiling thread, without the GIL. Errors: Input, for
/// unsupported syntax.
Result<Operand> lower(Engine &engine, const Function &function, BodyBuilder &body);

} // namespace kiln::python
