// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agent_socket.h"

#include <remote/remote.h>
#include <support/descriptor.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace kiln {

namespace {

Error socket_error(std::string_view doing, const std::string &path, int code) {
  return machine_error(fmt::format("cannot {} {}: {}", doing, path, std::generic_category().message(code)),
                       "name another path in KILN_AGENT or by --socket");
}

/// Removes the socket file that a killed agent left. The caller holds the lock.
Result<void> remove_stale_socket(const std::string &path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0)
    return errno == ENOENT ? Result<void>() : socket_error("look at", path, errno);
  if (!S_ISSOCK(status.st_mode))
    return machine_error(fmt::format("{} is no socket", path), "remove it, or name another path by --socket");
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return socket_error("replace", path, errno);
  return {};
}

} // namespace

Result<std::optional<AgentSocket>> AgentSocket::listen(const std::string &path) {
  KILN_CHECK(check_agent_folder(path));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return make_error(ErrorCode::Usage, fmt::format("the socket path {} has {} bytes", path, path.size()), {},
                      fmt::format("name one of at most {} bytes", sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, path.c_str(), path.size());

  // The lock prevents a race: if two agents see a stale socket at once, the second could remove the first
  // one's new socket. The lock file is never removed, since two agents could then lock two different files.
  const std::string lock_path = path + ".lock";
  OwnedDescriptor lock(open_descriptor(lock_path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  if (!lock) return socket_error("open", lock_path, errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::optional<AgentSocket>();
    return socket_error("lock", lock_path, errno);
  }
  KILN_CHECK(remove_stale_socket(path));
  OwnedDescriptor socket(
      above_standard_streams(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
  struct stat status{};
  if (!socket || ::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
      ::chmod(path.c_str(), 0600) != 0 || ::listen(socket.get(), 128) != 0 ||
      ::lstat(path.c_str(), &status) != 0)
    return socket_error("listen at", path, errno);
  AgentSocket made(path, std::move(lock), std::move(socket));
  made.device_ = status.st_dev;
  made.inode_ = status.st_ino;
  return std::optional(std::move(made));
}

AgentSocket::~AgentSocket() { close(); }

bool AgentSocket::is_own() const {
  struct stat status{};
  return ::lstat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

void AgentSocket::close() {
  if (!socket_) return;
  if (is_own()) ::unlink(path_.c_str());
  socket_.close();
}

OwnedDescriptor AgentSocket::accept() const {
  for (;;) {
    OwnedDescriptor peer(
        above_standard_streams(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)));
    if (!peer) return peer;
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (::getsockopt(peer.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 &&
        credentials.uid == ::geteuid())
      return peer;
  }
}

} // namespace kiln
