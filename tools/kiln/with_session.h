// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What commands that compile have in common: a session from opening to its timings and its cache.
#pragma once

#include "options.h"

#include <kiln/job_list.h>

#include <functional>

namespace kiln::tool {

using SessionBody = std::function<Result<void>(Session &session)>;

/// Opens a session as `common` says and runs `body` in it. Afterwards, also where that failed, the timings
/// are written in the form that --timings asked for, and what the cache has not written yet reaches its
/// folder. Gives the first error: opening, body, timings. The last session of the process is not taken apart,
/// for main leaves without that; one before it is when the next one opens.
Result<void> with_session(const CommonOptions &common, const SessionBody &body);
/// The same with what a command opens in another way than common.session(); `of`: by open_session for this
/// job.
Result<void> with_session(const CommonOptions &common, const SessionOptions &opening, const SessionBody &body,
                          const PrecompileJob *of = nullptr);

/// The clock of a command with several sessions, SessionOptions::timer: began with the process. Null without
/// --timings.
std::shared_ptr<Timer> shared_timer(const CommonOptions &common);

/// Prints a warning on standard error, if KILN_LOG asks for warnings.
void warn(std::string_view message);

} // namespace kiln::tool
