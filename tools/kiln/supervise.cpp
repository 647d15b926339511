// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "supervise.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::tool {

Result<void> supervise(unsigned most, const Action &action) {
  for (unsigned times = 1;; times++) {
    const pid_t parent = ::getpid(), child = ::fork();
    if (child < 0) return machine_error(fmt::format("no process could be started: {}", std::strerror(errno)));
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(start_again); // it has gone already
      return action();
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
      std::signal(WTERMSIG(status), SIG_DFL);
      ::raise(WTERMSIG(status)); // this one ends as it did
      exit_status() = int(ErrorKind::Internal);
      return {};
    }
    exit_status() = WEXITSTATUS(status);
    if (exit_status() != start_again) return {};
    if (times == most) {
      exit_status() = int(ErrorKind::Input);
      return {};
    }
  }
}

} // namespace kiln::tool
