// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serve.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

/// The socket to the parent process. Two threads write to it: one sends replies, the other Alive messages.
class Channel {
public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  /// Sends a message. Error: the other side has closed the socket.
  Result<void> send(const Message &message) {
    std::lock_guard lock(mutex_);
    return send_locked(message);
  }
  void begin_work() {
    std::lock_guard lock(mutex_);
    working_ = true;
  }
  /// Sends a reply and ends the work. No message follows until the next request.
  Result<void> reply(const Message &message, bool is_last) {
    std::lock_guard lock(mutex_);
    working_ = false;
    if (is_last) KILN_CHECK(send_locked({uint32_t(MessageType::LastReply), {}}));
    return send_locked(message);
  }
  Result<void> say_alive() {
    std::lock_guard lock(mutex_);
    return working_ ? send_locked({uint32_t(MessageType::Alive), {}}) : Result<void>();
  }
  /// Waits for the next message. No value: the other side closed the socket. Error: invalid bytes.
  Result<std::optional<Message>> receive() {
    while (true) {
      if (std::optional<Message> message = reader_.next()) return message;
      char bytes[1 << 16];
      const ssize_t received = ::recv(descriptor_, bytes, sizeof bytes, 0);
      if (received < 0 && errno == EINTR) continue;
      if (received <= 0) return std::optional<Message>();
      KILN_CHECK(reader_.feed({bytes, size_t(received)}));
    }
  }

private:
  Result<void> send_locked(const Message &message) {
    const std::string header = message_header(message.type, message.payload);
    for (const std::string_view part : {std::string_view(header), std::string_view(message.payload)})
      for (size_t at = 0; at < part.size();) {
        const ssize_t sent = ::send(descriptor_, part.data() + at, part.size() - at, MSG_NOSIGNAL);
        if (sent > 0)
          at += size_t(sent);
        else if (errno != EINTR)
          return machine_error(fmt::format("a reply cannot be sent: {}", std::strerror(errno)));
      }
    return {};
  }
  const int descriptor_;
  std::mutex mutex_; ///< guards sending and working_
  bool working_ = false;
  MessageReader reader_;
};

/// A thread that watches the parent process, and sends Alive messages during work.
class Watch {
public:
  Watch(int descriptor, Channel &channel, uint32_t milliseconds, const std::function<void()> &orphaned)
      : descriptor_(descriptor), parent_(::getppid()), handle_(int(::syscall(SYS_pidfd_open, parent_, 0))),
        channel_(channel), milliseconds_(milliseconds ? int(std::min(milliseconds, 1000u)) : 1000),
        says_alive_(milliseconds != 0), orphaned_(orphaned), thread_([this] { run(); }) {}
  ~Watch() {
    ended_ = true;
    thread_.join();
    if (handle_ >= 0) ::close(handle_);
  }

private:
  void run() {
    while (!ended_) {
      // Watch the parent's pidfd too: another child of the parent may keep the other end of the socket open.
      pollfd gone[] = {{descriptor_, POLLRDHUP, 0}, {handle_, POLLIN, 0}};
      const int ready = ::poll(gone, 2, milliseconds_);
      if ((ready > 0 || ::getppid() != parent_) && !ended_) {
        orphaned_();
        return;
      }
      if (says_alive_ && !ended_ && !channel_.say_alive().ok()) return;
    }
  }
  const int descriptor_;
  const pid_t parent_;
  const int handle_;
  Channel &channel_;
  const int milliseconds_;
  const bool says_alive_;
  const std::function<void()> &orphaned_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

Result<void> limit_memory(uint64_t bytes) {
  if (!bytes) return {};
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_AS, &limit) != 0)
    return machine_error(
        fmt::format("its memory cannot be limited to {} bytes: {}", bytes, std::strerror(errno)));
  return {};
}

Result<void> check_socket(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode)) return {};
  return usage_error(
      "kiln worker is started by sessions that have worker processes (SessionOptions::worker_processes), and by "
      "nobody else");
}

} // namespace

Result<void> serve_worker(int descriptor, const WorkerService &service) {
  KILN_CHECK(check_socket(descriptor));
  Channel channel(descriptor);
  KILN_TRY(std::optional<Message> first, channel.receive());
  if (!first) return {};
  if (first->type != uint32_t(MessageType::Hello)) return machine_error("the first message is no hello");
  KILN_TRY(const WorkerHello hello, read_hello(first->payload));
  KILN_CHECK(channel.send({uint32_t(MessageType::Welcome), service.build})); // compared by the other side
  if (hello.build != service.build)
    return machine_error("a library of another build has started this program");
  KILN_CHECK(limit_memory(hello.memory_bytes));
  KILN_CHECK(service.begin(hello));
  Watch watch(descriptor, channel, hello.alive_milliseconds, service.orphaned);
  while (true) {
    KILN_TRY(std::optional<Message> request, channel.receive());
    if (!request) return {};
    channel.begin_work();
    const Message reply = service.work(*request);
    const bool is_spent = service.is_spent();
    KILN_CHECK(channel.reply(reply, is_spent));
    if (is_spent) return {};
  }
}

} // namespace kiln
