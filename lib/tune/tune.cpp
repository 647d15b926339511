// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune.h"

#include "parts.h"
#include "run.h"

#include <kiln/extension/language/calls.h>
#include <support/float_environment.h>

namespace kiln {

ArgumentSource source_of(Session &session) {
  return {.evaluate = [&session](const std::string &name, const std::string &text) {
    return evaluate(session, name, text);
  }};
}

std::string_view KILN_API_VERSION::tune_state_name(TuneState state) {
  switch (state) {
  case TuneState::Waiting: return "waiting";
  case TuneState::Ready: return "ready";
  case TuneState::Measured: return "measured";
  case TuneState::Dropped: return "dropped";
  case TuneState::Impossible: return "impossible";
  case TuneState::NotCompiled: return "not compiled";
  case TuneState::Failed: return "failed";
  case TuneState::TimedOut: return "timed out";
  case TuneState::Wrong: return "wrong";
  }
  return "unknown";
}

Result<TuneResult> search(std::unique_ptr<TuneRun> run, const std::vector<TuneResult> &parts) {
  auto result = run->search(parts);
  // Leak the run: its destructor would wait for a kernel that does not end.
  if (run->is_lost()) (void)run.release();
  return result;
}

Result<TuneResult> tune(Session &session, const Device &device, const TuneRequest &request,
                        const TuneOptions &options, ArgumentSource source) {
  if (!options.more_devices.empty()) {
    KILN_CHECK(check_devices(device, options));
    return tune_in_parts(session, device, request, options, source);
  }
  auto run = std::make_unique<TuneRun>(session, device, request, options, std::move(source));
  KILN_CHECK(run->open());
  return search(std::move(run));
}

Result<TuneResult> tuned(Session &session, const Device &device, const TuneRequest &request,
                         const TuneOptions &options, ArgumentSource source) {
  return TuneRun(session, device, request, options, std::move(source)).recorded();
}

Result<TuneResult> KILN_API_VERSION::tune(Session &session, const Device &device, const TuneRequest &request,
                                          const TuneOptions &options, const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::tune_structures()));
  return tune(session, device, request, options, source_of(session));
}

Result<TuneResult> KILN_API_VERSION::tuned(Session &session, const Device &device, const TuneRequest &request,
                                           const TuneOptions &options, const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::tune_structures()));
  return tuned(session, device, request, options, source_of(session));
}

} // namespace kiln
