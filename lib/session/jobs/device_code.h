// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements @device_code_llvm and similar macros in expressions that a session evaluates.
#pragma once

#include "job_service.h"

namespace kiln {

/// Binds the host function Core.#device_code(macro, keyword, value, ..., function). It calls `function`, then
/// shows the products of the jobs requested meanwhile, even if the call fails. It returns the value of
/// `function`. Errors: those of `function`; Input for an unknown keyword, or if no job was requested.
Result<void> add_device_code(JobService &jobs);

} // namespace kiln
