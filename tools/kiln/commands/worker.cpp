// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln worker: what the worker processes of a session run (lib/workers). It reads its work from a socket and
// ends with the process that started it.
#include "../command.h"

#include <session/session.h>
#include <targets/targets.h>

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

Result<void> worker() {
  KILN_TRY(const TargetList targets, list_targets({}));
  return serve_jobs(worker_descriptor, std::string(build_digest()), targets, end_group);
}

} // namespace

Action worker_command(CLI::App &app) {
  app.group(""); // kiln --help does not show it
  return worker;
}

} // namespace kiln::tool
