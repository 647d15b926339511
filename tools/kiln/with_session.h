// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a command in a session: opens the session, runs the command's work, writes timings and flushes the
// cache.
#pragma once

#include "options.h"

#include <kiln/job_list.h>

#include <functional>

namespace kiln::tool {

using SessionBody = std::function<Result<void>(Session &session)>;

/// Opens a session with the options of `common` and runs `body` in it. Then, even if `body` fails, flushes
/// the cache to its folder and writes the report of --timings. Returns the first error.
///
/// The process's last session is never destroyed, because main exits without destructors. An earlier session
/// is destroyed when the next one opens.
Result<void> with_session(const CommonOptions &common, const SessionBody &body);
/// Like with_session(common, body), but with the session options `opening`. If `of` is set, the session uses
/// that job's language and loads its files (open_session, kiln/job_list.h).
Result<void> with_session(const CommonOptions &common, const SessionOptions &opening, const SessionBody &body,
                          const PrecompileJob *of = nullptr);

/// Makes the timer that all sessions of a command share (SessionOptions::timer). Its time starts with the
/// process. Null without --timings.
std::shared_ptr<Timer> shared_timer(const CommonOptions &common);

/// Prints a warning on standard error, if the log level in KILN_LOG includes warnings (the default).
void warn(std::string_view message);

} // namespace kiln::tool
