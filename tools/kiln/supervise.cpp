// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "supervise.h"

#include "output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::tool {

Result<int> supervise(unsigned most, const std::function<int()> &work) {
  for (unsigned times = 1;; times++) {
    const pid_t parent = ::getpid(), child = ::fork();
    if (child < 0) return machine_error(fmt::format("no process could be started: {}", std::strerror(errno)));
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) std::_Exit(start_again); // the parent is already gone
      std::_Exit(finish_output(work())); // without destructors, which might wait for a hung GPU
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
      std::signal(WTERMSIG(status), SIG_DFL);
      ::raise(WTERMSIG(status)); // ends this process by the signal that ended its child
      return int(ErrorKind::Internal);
    }
    if (WEXITSTATUS(status) != start_again) return WEXITSTATUS(status);
    if (times == most) return int(ErrorKind::Input);
  }
}

} // namespace kiln::tool
