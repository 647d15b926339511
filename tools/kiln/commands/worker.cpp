// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln worker: the program of a session's worker processes (lib/workers). It reads work from a socket and
// ends with its parent process.
#include "../command.h"

#include <kiln/worker.h>

#include <csignal>
#include <unistd.h>

namespace kiln::tool {

namespace {

/// Called when the parent process is gone. Ends this process immediately, along with the programs it started,
/// which share its process group.
void end_group() {
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(0);
}

} // namespace

Action worker_command(CLI::App &) {
  return [] { return run_worker(end_group); };
}

} // namespace kiln::tool
