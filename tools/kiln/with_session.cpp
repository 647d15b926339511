// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "with_session.h"

#include "output.h"

namespace kiln::tool {

Result<void> with_session(const CommonOptions &common, const SessionBody &body) {
  return with_session(common, common.session(), body);
}

Result<void> with_session(const CommonOptions &common, const SessionOptions &opening,
                          const SessionBody &body) {
  static std::unique_ptr<Session> session; // main ends the process without destroying what is static
  session.reset();
  KILN_TRY(session, Session::open(opening));
  Result<void> done = body(*session);
  Result<void> timed = write_timings(*session, common); // also of what failed
  session->flush_cache();
  return done.ok() ? std::move(timed) : std::move(done);
}

void warn(std::string_view message) {
  if (read_log_level(environment_text("KILN_LOG")).value_or(LogLevel::Warning) >= LogLevel::Warning)
    log_to_standard_error(LogLevel::Warning, message);
}

} // namespace kiln::tool
