// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/advise.h>

namespace kiln {

/// Permission to run the assembler for the rules that read a cubin. With LeaveOut these rules are not run,
/// and the report lists them in `not_checked`.
enum class Assembling : uint8_t { Ask, LeaveOut };

/// kiln/advise.h: advise().
Result<AdviceReport> advise_job(Session &session, const Job &job, Assembling assembling);

} // namespace kiln
