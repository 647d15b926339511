// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "background.h"

#include <support/descriptor.h>
#include <support/support.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::tool {

Result<Background> go_to_background() {
  int both[2];
  if (::pipe2(both, O_CLOEXEC) != 0)
    return machine_error(fmt::format("no pipe for the agent: {}", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child < 0) return machine_error(fmt::format("the agent cannot fork: {}", std::strerror(errno)));
  if (child == 0) {
    ::close(both[0]);
    ::setsid();
    (void)std::signal(SIGPIPE, SIG_IGN); // the parent, which reads the pipe, may be killed
    return Background{.ready = above_standard_streams(both[1])};
  }
  ::close(both[1]);
  char byte = 0;
  ssize_t got = 0;
  do got = ::read(both[0], &byte, 1);
  while (got < 0 && errno == EINTR);
  ::close(both[0]);
  if (got == 1) return Background{.is_parent = true};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return Background{.is_parent = true, .status = WIFEXITED(status) ? WEXITSTATUS(status) : 1};
}

void report_ready(int ready) {
  (void)!::write(ready, "1", 1);
  ::close(ready);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (nowhere >= 0) ::dup2(nowhere, stream);
  if (nowhere > STDERR_FILENO) ::close(nowhere);
}

} // namespace kiln::tool
