// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "starter.h"

#include <support/descriptor.h>

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace kiln {

namespace {
constexpr std::chrono::milliseconds run_limit{2000};
} // namespace

Result<void> AgentStarter::start(const std::string &program, const std::string &socket_path) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_init(&actions);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  std::string texts[] = {program, "serve", "--background", "--socket", socket_path};
  char *arguments[] = {texts[0].data(), texts[1].data(), texts[2].data(),
                       texts[3].data(), texts[4].data(), nullptr};
  pid_t process = -1;
  const int error = ::posix_spawn(&process, program.c_str(), &actions, &attributes, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error)
    return machine_error(
        fmt::format("the cache agent {} cannot be started: {}", program, std::strerror(error)));
  program_ = program;
  process_ = process;
  handle_ = above_standard_streams(int(::syscall(SYS_pidfd_open, process, 0)));
  began_ = Clock::now();
  return {};
}

bool AgentStarter::has_ended(std::chrono::milliseconds limit) {
  pollfd ended{handle_, POLLIN, 0};
  if (handle_ >= 0 && limit.count() > 0) ::poll(&ended, 1, int(limit.count()));
  const pid_t reaped = ::waitpid(pid_t(process_), &status_, WNOHANG);
  if (reaped == 0) return false;
  if (reaped < 0) status_ = 0; // unknown: the host process waited for all of its children
  if (handle_ >= 0) ::close(handle_);
  process_ = handle_ = -1;
  return true;
}

/// Kills the process by its pidfd, since its number may already belong to another process.
void AgentStarter::kill() {
  if (handle_ >= 0) (void)::syscall(SYS_pidfd_send_signal, handle_, SIGKILL, nullptr, 0);
  (void)has_ended(std::chrono::milliseconds(1000));
}

Result<bool> AgentStarter::wait(std::chrono::milliseconds limit) {
  if (process_ < 0) return true;
  if (has_ended(limit)) {
    if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) return true;
    return machine_error(
        fmt::format("the cache agent {} ended with status {:#x} when it was started", program_, status_),
        "`kiln-agent serve` shows why");
  }
  if (Clock::now() - began_ < run_limit) return false;
  kill();
  return machine_error(fmt::format("the cache agent {} did not start within {} s", program_,
                                   std::chrono::duration_cast<std::chrono::seconds>(run_limit).count()),
                       "`kiln-agent serve` shows why");
}

AgentStarter::~AgentStarter() {
  if (process_ < 0) return;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_of_wait() - Clock::now());
  if (!has_ended(left)) kill();
  if (handle_ >= 0) ::close(handle_);
}

} // namespace kiln
