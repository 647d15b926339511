// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Session of a command that compiles: from its opening to its timings and its cache.
#pragma once

#include "options.h"

#include <kiln/job_list.h>

#include <functional>

namespace kiln::tool {

using SessionBody = std::function<Result<void>(Session &session)>;

/// Opens a session with the options of `common` and runs `body` in it. Then, even after a failure, writes the
/// timings that --timings requests and flushes the cache to its folder. Returns the first error: opening,
/// body, timings.
///
/// The process's last session is never destroyed, because main exits without that. An earlier session is
/// destroyed when the next one opens.
Result<void> with_session(const CommonOptions &common, const SessionBody &body);
/// As above, with options other than common.session(). `of`: opens the session for this job (open_session).
Result<void> with_session(const CommonOptions &common, const SessionOptions &opening, const SessionBody &body,
                          const PrecompileJob *of = nullptr);

/// The clock of a command with several sessions (SessionOptions::timer). It starts with the process. Null
/// without --timings.
std::shared_ptr<Timer> shared_timer(const CommonOptions &common);

/// Prints a warning on standard error, if KILN_LOG asks for warnings.
void warn(std::string_view message);

} // namespace kiln::tool
