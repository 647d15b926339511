// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements @device_code_llvm and similar macros in expressions that a session evaluates.
#pragma once

#include "job_service.h"

namespace kiln {

/// Binds Core.#device_code(macro, keyword, value, ..., function): calls `function`, then shows the jobs
/// requested meanwhile as the macro demands, even if the function fails. Returns the function's value.
/// Errors: the function's; Input, for an unknown keyword or if no job was requested.
Result<void> add_device_code(JobService &jobs);

} // namespace kiln
