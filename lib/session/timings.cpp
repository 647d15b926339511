// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of a session's timings.
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
  state_->runtime->clock.collect();
  TimingReport report = state_->log.timer.report();
  report.kernels = state_->log.kernels.report();
  return report;
}

std::string Session::trace() const {
  if (!check().ok()) return {};
  state_->runtime->clock.collect();
  return state_->log.timer.trace_json();
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
