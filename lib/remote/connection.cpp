// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "connection.h"

#include <support/descriptor.h>

#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace kiln {

namespace {

Error broken(std::string_view what) {
  return machine_error(fmt::format("the connection to the cache agent ended: {}", what));
}

/// Time left until `until` as a timeout for poll(), rounded up. 0: the time has passed.
int milliseconds_left(AgentConnection::Clock::time_point until) {
  const auto left = until - AgentConnection::Clock::now();
  if (left <= left.zero()) return 0;
  return int(std::min<int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 60'000));
}

/// Returns true if the process that listens at the socket belongs to another user.
bool is_foreign(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid();
}

} // namespace

Result<std::unique_ptr<AgentConnection>> AgentConnection::open(const std::string &socket_path,
                                                               const AgentHello &hello, int &error) {
  error = 0;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path)
    return machine_error(
        fmt::format("the path of the cache agent's socket is too long: {} ({} bytes, and {} are "
                    "possible)",
                    socket_path, socket_path.size(), sizeof address.sun_path - 1),
        "name a shorter path in KILN_AGENT");
  KILN_CHECK(check_agent_folder(socket_path));
  std::memcpy(address.sun_path, socket_path.c_str(), socket_path.size());
  const int socket = above_standard_streams(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket < 0)
    return machine_error(fmt::format("no socket for the cache agent: {}", std::strerror(errno)));
  std::unique_ptr<AgentConnection> made(new AgentConnection(socket));
  if (::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
    error = errno;
    return machine_error(fmt::format("no cache agent listens at {}: {}", socket_path, std::strerror(error)));
  }
  if (is_foreign(socket))
    return machine_error(fmt::format("the process that listens at {} belongs to another user", socket_path),
                         "name a path in KILN_AGENT whose folder is yours and has mode 0700");
  // The message fits into the buffer of a new socket, so that the send does not wait.
  KILN_CHECK(made->send(AgentMessage::Hello, payload_of(hello), Clock::now()));
  return made;
}

Result<void> AgentConnection::take_welcome(const Message &message) {
  if (message.type != uint32_t(AgentMessage::Welcome)) return broken("it does not begin with a welcome");
  KILN_TRY(AgentWelcome welcome, read_agent_welcome(message.payload));
  if (!welcome.refusal.empty())
    return machine_error(fmt::format("the cache agent refuses this session: {}", welcome.refusal));
  if (welcome.protocol != agent_protocol)
    return machine_error(fmt::format("the cache agent has version {} of the protocol, and this is version {}",
                                     welcome.protocol, agent_protocol),
                         "end it with `kiln cache agent stop`: the next session starts its own");
  welcome_ = std::move(welcome);
  return {};
}

AgentConnection::~AgentConnection() { ::close(socket_); }

Result<bool> AgentConnection::wait_for(short events, Clock::time_point until) {
  for (;;) {
    pollfd wanted{socket_, events, 0};
    const int ready = ::poll(&wanted, 1, milliseconds_left(until));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return broken(std::strerror(errno));
    if (ready == 0 && Clock::now() >= until) return false;
  }
}

Result<void> AgentConnection::send(AgentMessage type, std::string_view payload, Clock::time_point until) {
  if (owner_ != process_token()) return broken("it belongs to the parent of this process");
  std::string bytes = message_header(uint32_t(type), payload);
  bytes += payload;
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t sent = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent > 0) {
      at += size_t(sent);
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return broken(std::strerror(errno));
    KILN_TRY(const bool ready, wait_for(POLLOUT, until));
    if (!ready) return broken("it reads nothing");
  }
  return {};
}

Result<std::optional<Message>> AgentConnection::receive(Clock::time_point until) {
  if (owner_ != process_token()) return broken("it belongs to the parent of this process");
  char bytes[size_t(64) << 10];
  for (;;) {
    if (std::optional<Message> whole = reader_.next()) {
      if (welcome_) return whole;
      KILN_CHECK(take_welcome(*whole));
      return std::optional<Message>();
    }
    const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got > 0) {
      if (!reader_.feed({bytes, size_t(got)}).ok()) return broken("it sent bytes that are no message");
      continue;
    }
    if (got == 0) return broken("the agent closed it");
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return broken(std::strerror(errno));
    KILN_TRY(const bool ready, wait_for(POLLIN, until));
    if (!ready) return std::optional<Message>();
  }
}

} // namespace kiln
