// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln worker: runs a worker process, which a session starts to compile outside of its own process
// (lib/workers). The worker reads work from a socket and ends when its parent process ends.
#include "../command.h"

#include <kiln/worker.h>

#include <csignal>
#include <unistd.h>

namespace kiln::tool {

namespace {

/// Ends this worker process and the programs that it started (its process group). Called after the parent
/// process has ended.
void end_group() {
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(0);
}

} // namespace

Action worker_command(CLI::App &) {
  return [] { return run_worker(end_group); };
}

} // namespace kiln::tool
