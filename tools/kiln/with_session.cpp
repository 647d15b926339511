// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "with_session.h"

#include "output.h"
#include "process_clock.h"

namespace kiln::tool {

Result<void> with_session(const CommonOptions &common, const SessionBody &body) {
  return with_session(common, common.session(), body);
}

Result<void> with_session(const CommonOptions &common, const SessionOptions &opening, const SessionBody &body,
                          const PrecompileJob *of) {
  static std::unique_ptr<Session> session; // never destroyed: main exits without destructors
  session.reset();
  const uint64_t opened = Timer::now();
  KILN_TRY(session, of ? open_session(*of, opening) : Session::open(opening));
  session->add_timing(stage_name(Stage::ProcessStart), opening.timings_since, main_began());
  uint64_t in_stages = 0;
  for (const EarlyStage &early : early_stages()) {
    session->add_timing(early.stage, early.began, early.ended);
    in_stages += early.ended - early.began;
  }
  session->add_timing(stage_name(Stage::CommandLine), main_began(), opened - in_stages);
  std::optional<JobScope> jobs;
  if (common.wants_advice()) jobs.emplace(session->collect_jobs());
  Result<void> done = body(*session);
  session->flush_cache();
  // The report is written even if `body` failed.
  Result<void> timed = write_timings(*session, common, jobs ? jobs->jobs() : std::vector<Job>());
  return done.ok() ? std::move(timed) : std::move(done);
}

std::shared_ptr<Timer> shared_timer(const CommonOptions &common) {
  if (common.timings.empty()) return nullptr;
  const SessionOptions options = common.session();
  auto timer =
      make_timer({options.trace_events, options.timing_passes, options.timings_since, options.timing_kernels},
                 options.allocations);
  timer->add(stage_name(Stage::ProcessStart), options.timings_since, main_began());
  timer->add(stage_name(Stage::CommandLine), main_began(), Timer::now());
  return timer;
}

void warn(std::string_view message) {
  if (read_log_level(environment_text("KILN_LOG")).value_or(LogLevel::Warning) >= LogLevel::Warning)
    log_to_standard_error(LogLevel::Warning, message);
}

} // namespace kiln::tool
