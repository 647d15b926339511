// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind @device_code_llvm and its kin in expressions that a session evaluates.
#pragma once

#include "job_service.h"

namespace kiln {

/// Binds Core.#device_code(macro, keyword, value, ..., function): calls `function`, and shows the jobs that
/// were asked for meanwhile as the macro says, also if it fails. Its value is the function's. Errors: the
/// function's; Input, for a keyword that the macro does not have, and if no job was asked for.
Result<void> add_device_code(JobService &jobs);

} // namespace kiln
