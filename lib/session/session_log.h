// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Service SessionLog: the messages, timings and kernel statistics of a session.
#pragma once

#include <devices/devices.h>
#include <support/support.h>

namespace kiln {

/// Thread-safe.
struct SessionLog {
  SessionLog(LogLevel level, LogFunction sink, SessionRuntime &runtime)
      : log(level, std::move(sink)), timer(runtime.timer), timer_owner(runtime.timer_owner),
        kernels(runtime.kernels) {}

  Log log;
  Timer &timer;
  const std::shared_ptr<Timer> timer_owner; ///< of `timer`
  KernelStats &kernels;

  /// Warns of a failed background stage, in the log and in the timing report.
  void warn_of_stage(Stage stage, const std::string &text) {
    log.warn("{}", text);
    if (timer.enabled()) timer.warn(stage_name(stage), text);
  }
};

} // namespace kiln
