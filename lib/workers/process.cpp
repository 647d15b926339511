// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.h"

#include <support/cancellation.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t max_last_words = 4096;
/// Time that a worker which closed its socket has to end by itself; then Kiln kills it.
constexpr std::chrono::milliseconds patience_at_end{1000};

/// Replaces bytes that would disturb a terminal or log, since a crashed process may have printed anything.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' || c == '\t' || (uint8_t(c) >= 32 && c != 127) ? c : '?';
  while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
  return out;
}

std::string describe_status(int status) {
  if (status < 0) return "it has ended, and somebody else in this process has waited for it";
  if (WIFSIGNALED(status)) {
    const char *name = ::sigabbrev_np(WTERMSIG(status));
    return fmt::format("it was ended by the signal {}{}", name ? "SIG" : "",
                       name ? name : std::to_string(WTERMSIG(status)));
  }
  return fmt::format("it ended with exit status {}", WEXITSTATUS(status));
}

} // namespace

Error worker_error(std::string message, std::string hint) {
  return Error(
      Diagnostic{.code = ErrorCode::WorkerError, .message = std::move(message), .hint = std::move(hint)});
}

WorkerProcess::WorkerProcess(const WorkerOptions &options) : options_(options), owner_(process_token()) {}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerOptions &options) {
  KILN_CHECK(check_cancellation());
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess(options));
  KILN_CHECK(worker->spawn());
  std::optional<CancellationCallback> killed_by;
  if (const Cancellation *current = current_cancellation())
    killed_by.emplace(*current, [&] { worker->kill(); });
  KILN_CHECK(worker->send({uint32_t(MessageType::Hello), hello_payload(options.hello)}));
  KILN_TRY(const Message welcome, worker->receive(options.start_limit));
  if (welcome.type != uint32_t(MessageType::Welcome))
    return worker->ended("says something other than welcome");
  if (welcome.payload != options.hello.build)
    return worker_error(
        fmt::format("the worker program {} is of another build than this library", options.program),
        "name the kiln of the same build in SessionOptions::worker_program or KILN_WORKER");
  worker->is_ready_ = true;
  return worker;
}

WorkerProcess::~WorkerProcess() {
  if (owner_ == process_token() && process_ > 0) {
    kill();
    reap(std::chrono::milliseconds(0));
  }
  for (const int descriptor : {socket_, words_, handle_})
    if (descriptor >= 0) ::close(descriptor);
}

void WorkerProcess::kill() {
  std::lock_guard lock(mutex_);
  if (reaped_ || process_ <= 0 || owner_ != process_token()) return;
  // The process number is valid only until someone waits for the process. An embedder that waits for any
  // child may have done so.
  if (handle_ >= 0 && !signal_is_possible(handle_)) return;
  ::kill(pid_t(-process_), SIGKILL);
}

bool WorkerProcess::reap_now() {
  std::lock_guard lock(mutex_);
  if (reaped_) return true;
  int status = 0;
  pid_t waited;
  do waited = ::waitpid(pid_t(process_), &status, WNOHANG);
  while (waited < 0 && errno == EINTR);
  if (waited == 0) return false;
  reaped_ = true;
  if (waited > 0) status_ = status;
  return true;
}

void WorkerProcess::reap(std::chrono::milliseconds patience) {
  const Clock::time_point until = Clock::now() + patience;
  for (bool killed = false; !reap_now();) {
    if (!killed && Clock::now() >= until) {
      kill();
      killed = true;
    }
    pollfd handle{handle_, POLLIN, 0};
    if (handle_ < 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    else
      ::poll(&handle, 1, 20); // wake up regularly: another thread may kill the process
  }
}

Error WorkerProcess::ended(std::string_view what) {
  // After a cancellation, report the cancellation and not the killed process.
  if (Result<void> stopped = check_cancellation(); !stopped.ok()) {
    kill();
    reap(std::chrono::milliseconds(0));
    return stopped.take_error();
  }
  const bool by_itself = what.empty();
  if (!by_itself) kill();
  reap(by_itself ? patience_at_end : std::chrono::milliseconds(0));
  read_last_words();
  std::string message =
      by_itself
          ? fmt::format("{}: {}",
                        is_ready_ ? "the worker process ended in the middle of its work"
                                  : "the worker program " + options_.program + " ended before it was ready",
                        describe_status(status_))
          : fmt::format("the worker process {}; it was killed", what);
  if (options_.hello.memory_bytes && is_ready_)
    message += fmt::format(" (it may take {} MiB of memory)", options_.hello.memory_bytes >> 20);
  if (const std::string words = printable(last_words_); !words.empty())
    message += fmt::format("\nit said last: {}", words);
  return worker_error(std::move(message));
}

Result<Message> WorkerProcess::exchange(const Message &request, std::chrono::nanoseconds limit) {
  if (owner_ != process_token())
    return usage_error("a worker process belongs to the process that started it");
  std::optional<CancellationCallback> killed_by;
  if (const Cancellation *current = current_cancellation()) killed_by.emplace(*current, [this] { kill(); });
  KILN_CHECK(check_cancellation());
  exchange_until_ = limit.count() ? Clock::now() + limit : Clock::time_point::max();
  KILN_CHECK(send(request));
  KILN_TRY(Message reply, receive(options_.silence_limit));
  if (reply.type != uint32_t(MessageType::LastReply)) return reply;
  last_reply_ = true;
  return receive(options_.silence_limit);
}

bool WorkerProcess::is_idle() const {
  pollfd socket{socket_, POLLIN | POLLRDHUP, 0};
  return ::poll(&socket, 1, 0) == 0 && !last_reply_ && !reader_.in_the_middle();
}

Result<void> WorkerProcess::send(const Message &message) {
  if (message.payload.size() > max_message_bytes)
    return worker_error(
        fmt::format("a job of {} bytes is too large for a worker process", message.payload.size()));
  const std::string header = message_header(message.type, message.payload);
  for (const std::string_view part : {std::string_view(header), std::string_view(message.payload)})
    for (size_t at = 0; at < part.size();) {
      const ssize_t sent = ::send(socket_, part.data() + at, part.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent > 0)
        at += size_t(sent);
      else if (errno == EAGAIN || errno == EWOULDBLOCK)
        KILN_CHECK(wait_for(POLLOUT, options_.silence_limit.count() ? Clock::now() + options_.silence_limit
                                                                    : Clock::time_point::max()));
      else if (errno != EINTR)
        return ended("");
    }
  return {};
}

Result<Message> WorkerProcess::receive(std::chrono::milliseconds silence_limit) {
  auto silent_until = [&] {
    return silence_limit.count() ? Clock::now() + silence_limit : Clock::time_point::max();
  };
  for (Clock::time_point until = silent_until();;) {
    while (std::optional<Message> message = reader_.next())
      if (message->type != uint32_t(MessageType::Alive)) return std::move(*message);
    KILN_CHECK(wait_for(POLLIN, until));
    char bytes[1 << 16];
    const ssize_t received = ::recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (received > 0) {
      if (Result<void> fed = reader_.feed({bytes, size_t(received)}); !fed.ok())
        return ended(fmt::format("says what nobody can read: {}", fed.error().diagnostics()[0].message));
      until = silent_until();
    } else if (received == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
      return ended("");
    }
  }
}

Result<void> WorkerProcess::wait_for(short events, Clock::time_point silent_until) {
  while (true) {
    const Cancellation *const current = current_cancellation();
    const Clock::time_point until =
        std::min({silent_until, exchange_until_, current ? current->next_look() : silent_until});
    int milliseconds = -1;
    if (until != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
      milliseconds = int(std::clamp<int64_t>(left, 0, 1'000'000));
    }
    pollfd descriptors[] = {{socket_, events, 0}, {words_, POLLIN, 0}}; // poll ignores negative descriptors
    const int ready = ::poll(descriptors, 2, milliseconds);
    if (ready < 0 && errno != EINTR)
      return ended(fmt::format("cannot be waited for: {}", std::strerror(errno)));
    if (cancellation_requested()) return ended("");
    if (ready == 0 && Clock::now() >= exchange_until_) {
      kill();
      reap(std::chrono::milliseconds(0));
      return deadline_exceeded_error();
    }
    if (ready == 0 && Clock::now() >= silent_until) return ended("has been silent for too long");
    if (ready > 0 && descriptors[1].revents) read_last_words();
    if (ready > 0 && descriptors[0].revents) return {};
  }
}

void WorkerProcess::read_last_words() {
  char bytes[max_last_words];
  while (words_ >= 0) {
    const ssize_t got = ::read(words_, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got <= 0) {
      ::close(words_);
      words_ = -1;
      return;
    }
    last_words_.append(bytes, size_t(got));
    if (last_words_.size() > max_last_words) last_words_.erase(0, last_words_.size() - max_last_words);
  }
}

} // namespace kiln
