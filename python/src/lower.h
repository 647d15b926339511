// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a function's tree to its lowered code: operators are calls of the library, which types them.
#pragma once

#include "engine.h"

namespace kiln::python {

/// Appends the body of `function`. Called on the thread that compiles, without the GIL. Errors: Input, for
/// syntax that kernels do not have.
Result<Operand> lower(Engine &engine, const Function &function, BodyBuilder &body);

} // namespace kiln::python
