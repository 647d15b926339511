// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of a session that running code needs. Every device, kernel, stream and buffer holds it, so that
// handles can outlive the Session. Contains no compiler state.
#pragma once

#include "kernel_clock.h"

#include <host/host.h>
#include <support/support.h>

namespace kiln {

struct SessionRuntime {
  /// `shared_timer`: timer shared by several sessions. Null: this session gets a timer of its own.
  SessionRuntime(const ExecutorOptions &options, std::shared_ptr<DeviceAllocator> allocator,
                 const Nvtx *of_nvtx, std::shared_ptr<Timer> shared_timer = {})
      : nvtx(of_nvtx), device_allocator(std::move(allocator)),
        timer_owner(shared_timer ? std::move(shared_timer) : std::make_shared<Timer>()), timer(*timer_owner),
        executor(std::make_shared<Executor>(options)) {}
  const Nvtx *const nvtx;                                  ///< null: no ranges
  const std::shared_ptr<DeviceAllocator> device_allocator; ///< of the embedder; null: CUDA's
  const std::shared_ptr<Timer> timer_owner;
  Timer &timer;
  KernelStats kernels; ///< kernel statistics, filled while the timer is on
  KernelClock clock{timer, kernels};
  SourceMap sources; ///< source places for exceptions; finds a file's text only while another object owns it
  std::shared_ptr<Executor> executor;

  /// Process that opened the session. A forked child has neither the session's threads nor valid locks.
  const uint64_t process = process_token();
  bool is_of_this_process() const { return process == process_token(); }
};

/// Error for any use of a session or handle in a child after fork(). Error: Usage.
Error of_parent_process();

} // namespace kiln
