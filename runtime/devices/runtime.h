// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What running needs of a session. Every device, and through it every kernel, stream and buffer, holds it, so
// that these work on when their Session has gone; nothing that compiles is in here.
#pragma once

#include "kernel_clock.h"

#include <host/host.h>
#include <support/support.h>

namespace kiln {

struct SessionRuntime {
  /// `shared_timer`: null, or a clock of several sessions.
  SessionRuntime(const ExecutorOptions &options, std::shared_ptr<DeviceAllocator> allocator,
                 const Nvtx *of_nvtx, std::shared_ptr<Timer> shared_timer = {})
      : nvtx(of_nvtx), device_allocator(std::move(allocator)),
        timer_owner(shared_timer ? std::move(shared_timer) : std::make_shared<Timer>()), timer(*timer_owner),
        executor(std::make_shared<Executor>(options)) {}
  const Nvtx *const nvtx;                                  ///< null: no ranges
  const std::shared_ptr<DeviceAllocator> device_allocator; ///< the embedder's; null: CUDA's
  const std::shared_ptr<Timer> timer_owner;
  Timer &timer;
  KernelStats kernels; ///< while the timer is on
  KernelClock clock{timer, kernels};
  SourceMap sources; ///< finds the text of places in exceptions as long as somebody keeps it
  std::shared_ptr<Executor> executor;

  /// The one that opened the session. A child that fork() made has neither its threads nor its locks.
  const uint64_t process = process_token();
  bool is_of_this_process() const { return process == process_token(); }
};

/// What every function of the API says to a session or handle that came along through a fork. Error: Usage.
Error of_parent_process();

} // namespace kiln
