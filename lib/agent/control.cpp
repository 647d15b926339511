// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "control.h"

#include "event_loop.h"

#include <remote/remote.h>
#include <support/descriptor.h>
#include <workers/workers.h>

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr timeval reply_limit{5, 0};

Error no_answer(const std::string &path) {
  return machine_error(fmt::format("the agent at {} does not answer", path),
                       fmt::format("find its process with `fuser {}` and end it", path));
}

/// Connects to an agent. Empty: no agent listens at the path.
Result<std::optional<OwnedDescriptor>> connect_to(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::optional<OwnedDescriptor>();
  std::memcpy(address.sun_path, path.c_str(), path.size());
  OwnedDescriptor socket(above_standard_streams(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  if (socket) {
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &reply_limit, sizeof reply_limit);
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &reply_limit, sizeof reply_limit);
    if (::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
      return std::optional(std::move(socket));
  }
  if (errno == ENOENT || errno == ECONNREFUSED) return std::optional<OwnedDescriptor>();
  return machine_error(
      fmt::format("cannot connect to the agent at {}: {}", path, std::generic_category().message(errno)));
}

bool send_message(const OwnedDescriptor &socket, AgentMessage type, const std::string &payload) {
  const std::string bytes = message_header(uint32_t(type), payload) + payload;
  return ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == ssize_t(bytes.size());
}

/// Receives the next message. Empty: the agent has ended, is late, or sends invalid bytes.
std::optional<Message> receive(const OwnedDescriptor &socket, MessageReader &reader) {
  for (;;) {
    if (std::optional<Message> message = reader.next()) return message;
    char buffer[16 * 1024];
    const ssize_t got = ::recv(socket.get(), buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || !reader.feed({buffer, size_t(got)}).ok()) return std::nullopt;
  }
}

Result<void> greet(const OwnedDescriptor &socket, MessageReader &reader, const std::string &path) {
  if (!send_message(socket, AgentMessage::Hello, payload_of(AgentHello{}))) return no_answer(path);
  const std::optional<Message> reply = receive(socket, reader);
  if (!reply || reply->type != uint32_t(AgentMessage::Welcome)) return no_answer(path);
  KILN_TRY(const AgentWelcome welcome, read_agent_welcome(reply->payload));
  if (!welcome.refusal.empty()) return machine_error(welcome.refusal);
  return {};
}

} // namespace

Result<std::string> agent_report(const std::string &path) {
  KILN_TRY(const std::optional<OwnedDescriptor> socket, connect_to(path));
  if (!socket)
    return machine_error(fmt::format("no agent listens at {}", path),
                         "start one with `kiln-agent`, or name its socket by --socket or KILN_AGENT");
  MessageReader reader;
  KILN_CHECK(greet(*socket, reader, path));
  if (!send_message(*socket, AgentMessage::Statistics, {})) return no_answer(path);
  std::optional<Message> reply = receive(*socket, reader);
  if (!reply || reply->type != uint32_t(AgentMessage::Report)) return no_answer(path);
  return std::move(reply->payload);
}

Result<bool> stop_agent(const std::string &path) {
  KILN_TRY(const std::optional<OwnedDescriptor> socket, connect_to(path));
  if (!socket) return false;
  MessageReader reader;
  KILN_CHECK(greet(*socket, reader, path));
  if (!send_message(*socket, AgentMessage::Stop, {})) return no_answer(path);
  char byte;
  if (::recv(socket->get(), &byte, 1, 0) != 0) return no_answer(path); // 0: the agent has ended
  return true;
}

} // namespace kiln
