// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln worker: what the worker processes of a session run (lib/workers). It reads its work from a socket and
// ends with the process that started it.
#include "../command.h"

#include <kiln/worker.h>

#include <csignal>
#include <unistd.h>

namespace kiln::tool {

namespace {

/// Who started this process is gone: it ends, in the middle of whatever it does, and the programs that it
/// started, which are in its group.
void end_group() {
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(0);
}

} // namespace

Action worker_command(CLI::App &app) {
  app.group(""); // kiln --help does not show it
  return [] { return run_worker(end_group); };
}

} // namespace kiln::tool
