// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public functions of Session for timings and reports.
#include "session_state.h"

namespace kiln {

void Session::start_timings(const TimingOptions &options) {
  if (!check().ok()) return;
  state_->runtime->clock.clear();
  state_->log.kernels.clear();
  state_->log.timer.enable(options);
}

void Session::stop_timings() {
  if (check().ok()) state_->log.timer.disable();
}

void Session::reset_timings() {
  if (!check().ok() || !state_->log.timer.enabled()) return;
  state_->runtime->clock.clear();
  state_->log.kernels.clear();
  state_->log.timer.reset();
}

TimingReport Session::timings() const {
  if (!check().ok()) return {};
  const EnvironmentScope environment(state_->gate.use_environment);
  state_->runtime->clock.collect();
  TimingReport report = state_->log.timer.report();
  report.kernels = state_->log.kernels.report();
  report.counters = counters();
  return report;
}

std::string Session::trace() const {
  if (!check().ok()) return {};
  state_->runtime->clock.collect();
  return state_->log.timer.trace_json();
}

std::string Session::spans() const {
  constexpr size_t max_bytes = size_t(256) << 20;
  if (!check().ok()) return {};
  return state_->log.timer.spans_json(timings(), max_bytes);
}

Result<void> Session::send_spans() {
  KILN_CHECK(check());
  if (!state_->persistent || !state_->persistent->has_remote())
    return make_error(ErrorCode::Usage,
                      "spans are sent by the agent of a remote cache, and this session has none", {},
                      "name a store: --remote, KILN_REMOTE_CACHE or SessionOptions::remote");
  const std::string spans = state_->log.timer.spans_json(timings(), AgentClient::max_span_bytes);
  if (!state_->persistent->send_spans(spans)) state_->log.log.warn("the cache agent takes no spans now");
  return {};
}

TimingScope Session::time(std::string_view stage) {
  return check_process().ok() ? TimingScope(state_->runtime->timer_owner, stage) : TimingScope();
}

TimingScope Session::time_job(std::string_view job) {
  return check_process().ok() ? TimingScope(state_->runtime->timer_owner, job, std::string_view())
                              : TimingScope();
}

void Session::add_timing(std::string_view stage, uint64_t start, uint64_t end) {
  if (check_process().ok() && state_->log.timer.enabled()) state_->log.timer.add(stage, start, end);
}

} // namespace kiln
