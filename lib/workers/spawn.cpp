// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a worker process. It inherits only the embedder's environment and working folder.
#include "process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <support/descriptor.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

namespace kiln {
namespace {

/// Both ends of a socket or pipe: `own` for this process, `its` for the worker. Closes the ends that were not
/// taken.
struct Descriptors {
  int own = -1, its = -1;
  ~Descriptors() {
    if (own >= 0) ::close(own);
    if (its >= 0) ::close(its);
  }
  int take_own() { return std::exchange(own, -1); }
};

/// Moves both descriptors to numbers above those that the worker uses. They may be low if the embedder has
/// closed its standard streams.
Result<void> move_up(Descriptors &pair) {
  for (int *descriptor : {&pair.own, &pair.its}) {
    const int moved = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, worker_descriptor + 1);
    if (moved < 0)
      return worker_error(fmt::format("no descriptor for a worker process: {}", std::strerror(errno)));
    ::close(std::exchange(*descriptor, moved));
  }
  return {};
}

Result<void> make_socket(Descriptors &pair) {
  int both[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0)
    return worker_error(fmt::format("no socket for a worker process: {}", std::strerror(errno)));
  pair.own = both[0], pair.its = both[1];
  return move_up(pair);
}

Result<void> make_pipe(Descriptors &pair) {
  int both[2];
  if (::pipe2(both, O_CLOEXEC) != 0)
    return worker_error(fmt::format("no pipe for a worker process: {}", std::strerror(errno)));
  pair.own = both[0], pair.its = both[1];
  KILN_CHECK(move_up(pair));
  ::fcntl(pair.own, F_SETFL, O_NONBLOCK); // of this end only: the worker's end is another open file
  return {};
}

struct SpawnAttributes {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  SpawnAttributes() {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_init(&actions);
  }
  ~SpawnAttributes() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
};

/// Prepares the attributes for posix_spawn. Returns 0 or an error number.
int prepare(SpawnAttributes &spawn, const Descriptors &socket, const Descriptors &words) {
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  for (const int error :
       {::posix_spawnattr_setflags(&spawn.attributes,
                                   POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP),
        ::posix_spawnattr_setsigmask(&spawn.attributes, &none),
        ::posix_spawnattr_setsigdefault(&spawn.attributes, &all),
        ::posix_spawnattr_setpgroup(&spawn.attributes, 0),
        ::posix_spawn_file_actions_addopen(&spawn.actions, 0, "/dev/null", O_RDONLY, 0),
        ::posix_spawn_file_actions_addopen(&spawn.actions, 1, "/dev/null", O_WRONLY, 0),
        ::posix_spawn_file_actions_adddup2(&spawn.actions, words.its, 2),
        ::posix_spawn_file_actions_adddup2(&spawn.actions, socket.its, worker_descriptor),
        ::posix_spawn_file_actions_addclosefrom_np(&spawn.actions, worker_descriptor + 1)})
    if (error) return error;
  return 0;
}

} // namespace

bool signal_is_possible(int handle) { return ::syscall(SYS_pidfd_send_signal, handle, 0, nullptr, 0) == 0; }

Result<void> WorkerProcess::spawn() {
  Descriptors socket, words;
  KILN_CHECK(make_socket(socket));
  KILN_CHECK(make_pipe(words));
  SpawnAttributes spawn;
  pid_t process = -1;
  int error = prepare(spawn, socket, words);
  std::string name = options_.program, command = "worker";
  char *arguments[] = {name.data(), command.data(), nullptr};
  if (!error)
    error = ::posix_spawn(&process, options_.program.c_str(), &spawn.actions, &spawn.attributes, arguments,
                          environ);
  if (error)
    return worker_error(
        fmt::format("the worker program {} cannot be started: {}", options_.program, std::strerror(error)),
        "SessionOptions::worker_program or KILN_WORKER names the kiln of this build");
  process_ = process;
  handle_ =
      above_standard_streams(int(::syscall(SYS_pidfd_open, process, 0))); // the kernel sets close-on-exec
  socket_ = socket.take_own();
  words_ = words.take_own();
  return {};
}

} // namespace kiln
