// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What running needs of a session. Every device, and through it every kernel, stream and buffer, holds it, so
// that these work on when their Session has gone; nothing that compiles is in here.
#pragma once

#include "kernel_stats.h"

#include <host/host.h>
#include <support/support.h>

namespace kiln {

struct SessionRuntime {
  explicit SessionRuntime(const ExecutorOptions &options) : executor(std::make_shared<Executor>(options)) {}
  Timer timer;
  KernelStats kernels; ///< while the timer is on
  SourceMap sources;   ///< finds the text of places in exceptions as long as somebody keeps it
  std::shared_ptr<Executor> executor;
};

} // namespace kiln
