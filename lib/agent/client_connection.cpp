// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "client_connection.h"

#include <support/bytes.h>
#include <support/machine.h>

#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace kiln {

namespace {

// Limits of one connection.
constexpr size_t max_message = size_t(256) << 20; ///< bytes of an incomplete message
constexpr size_t max_hello = 64 * 1024;           ///< bytes
constexpr size_t max_remotes = 16;
constexpr size_t max_gets = 4'096; ///< without an answer
constexpr uint32_t max_limit_ms = 60'000;
constexpr std::chrono::seconds hello_limit{10}, progress_limit{30};

Error breach(std::string what) { return input_error(std::move(what)); }

/// Label of a session's process, "host:4711", which sessions that wait for it show. The number is 0 if the
/// process is in another PID namespace.
std::string label_of_peer(const OwnedDescriptor &socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return process_label(peer.pid);
}

} // namespace

ClientConnection::ClientConnection(EventLoop &loop, ConnectionHost &host, const Log &log,
                                   OwnedDescriptor socket)
    : loop_(loop), host_(host), log_(log), socket_(std::move(socket)), label_(label_of_peer(socket_)) {}

ClientConnection::~ClientConnection() { close(); }

void ClientConnection::begin() {
  loop_.watch(socket_.get(), EPOLLIN, [self = weak_from_this()](uint32_t events) {
    if (auto connection = self.lock()) connection->on_ready(events);
  });
  progress_timer_ = loop_.after(hello_limit, [this] { drop("it sends no greeting"); });
}

// ---- reading

void ClientConnection::on_ready(uint32_t events) {
  if (events & EPOLLOUT) flush();
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR) && state_ != State::Closed) read();
}

void ClientConnection::read() {
  static thread_local std::array<char, 256 * 1024> buffer;
  // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): no lock is held, and the socket never blocks
  const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return;
  if (got <= 0) {
    close();
    return host_.on_closed(socket_.get());
  }
  if (state_ == State::Closing) return;
  unread_bytes_ += size_t(got);
  if (Result<void> fed = reader_.feed({buffer.data(), size_t(got)}); !fed.ok())
    return drop(fed.error().diagnostics().front().message);
  while (std::optional<Message> message = reader_.next()) {
    unread_bytes_ -= message_header_bytes + message->payload.size();
    if (Result<void> taken = take(*message); !taken.ok())
      return drop(taken.error().diagnostics().front().message);
    if (state_ == State::Closing || state_ == State::Closed) return;
  }
  if (unread_bytes_ > (state_ == State::Greeting ? max_hello : max_message)) drop("its message is too large");
}

Result<void> ClientConnection::take(const Message &message) {
  if (state_ == State::Greeting) return on_hello(message);
  switch (AgentMessage(message.type)) {
  case AgentMessage::Get: return on_get(message.payload);
  case AgentMessage::Put: return on_put(message.payload);
  case AgentMessage::Cancel: return on_cancel(message.payload);
  case AgentMessage::Release: return on_release(message.payload);
  case AgentMessage::Take: return on_take(message.payload);
  case AgentMessage::Finish: return on_finish(message.payload);
  case AgentMessage::Spans: host_.take_spans(std::string(message.payload)); return {};
  case AgentMessage::Statistics: send(AgentMessage::Report, host_.report()); return {};
  case AgentMessage::Stop: host_.begin_stop(); return {};
  default: return breach(fmt::format("a message of the type {}", message.type));
  }
}

Result<void> ClientConnection::on_hello(const Message &message) {
  if (AgentMessage(message.type) != AgentMessage::Hello || message.payload.size() > max_hello)
    return breach("its first message is no greeting");
  KILN_TRY(AgentHello hello, read_agent_hello(message.payload));
  loop_.cancel(progress_timer_);
  if (hello.protocol != agent_protocol) {
    refuse(fmt::format(
        "this agent speaks version {} of the protocol, the session version {}: run `kiln-agent stop` "
        "and start the agent of the session's installation",
        agent_protocol, hello.protocol));
    return {};
  }
  if (hello.remotes.size() > max_remotes) {
    refuse(fmt::format("a session may name {} remotes, not {}", max_remotes, hello.remotes.size()));
    return {};
  }
  for (const std::string &url : hello.remotes) {
    Result<SharedRemote> remote = host_.open_remote(url);
    if (!remote.ok()) {
      const Diagnostic &why = remote.error().diagnostics().front();
      refuse(why.hint.empty() ? why.message : fmt::format("{}: {}", why.message, why.hint));
      return {};
    }
    remotes_.push_back(std::move(*remote));
  }
  build_ = std::move(hello.build);
  state_ = State::Open;
  send(AgentMessage::Welcome, payload_of(AgentWelcome{.patience_us = patience_us()}));
  return {};
}

void ClientConnection::refuse(std::string why) {
  log_.info("a session is refused: {}", why);
  state_ = State::Closing;
  send(AgentMessage::Welcome, payload_of(AgentWelcome{.refusal = std::move(why)}));
}

// ---- requests

Result<void> ClientConnection::on_get(std::string_view payload) {
  KILN_TRY(AgentGet request, read_agent_get(payload));
  // Numbers must rise: a cancelled request may still have pending fetches, which would answer a new request
  // of that number.
  if (request.number <= last_get_) return breach("the number of a request is not above the one before");
  last_get_ = request.number;
  const size_t count = request.names.size();
  if (count == 0) return {};
  const uint64_t number = request.number;
  if (gets_.size() >= max_gets || std::max(open_names_, waiting_.size()) + count > max_names) {
    for (size_t i = 0; i < count; i++)
      send(AgentMessage::Answer, payload_of(AgentAnswer{.number = number, .index = uint32_t(i)}));
    return {};
  }
  Get &get = gets_[number];
  get.request = std::move(request);
  get.is_answered.resize(count);
  get.left = count;
  open_names_ += count;
  for (size_t i = 0; i < count; i++) waiting_.emplace_back(number, i);
  get.timer = loop_.after(std::chrono::milliseconds(std::min(get.request.limit_ms, max_limit_ms)),
                          [this, number] { on_deadline(number); });
  start_fetches();
  return {};
}

Result<void> ClientConnection::on_put(std::string_view payload) {
  KILN_TRY(AgentPut put, read_agent_put(payload));
  AgentTaken taken{.number = put.number};
  std::set<RemoteName> names;
  for (const AgentPut::Entry &entry : put.entries) names.insert(entry.name);
  for (AgentPut::Entry &entry : put.entries)
    if (!remotes_.empty() && remotes_.front().leases->publish(entry.name, build_, std::move(entry.bytes)))
      taken.taken++;
  end_leases([&](const Lease &lease) { return lease.is_granted && names.count(lease.name) != 0; });
  send(AgentMessage::Taken, payload_of(taken));
  return {};
}

Result<void> ClientConnection::on_cancel(std::string_view payload) {
  ByteReader in(payload);
  const uint64_t number = in.number<uint64_t>();
  if (!in.at_end()) return breach("a damaged cancellation");
  end_leases([number](const Lease &lease) { return lease.number == number; });
  const auto found = gets_.find(number);
  if (found == gets_.end()) return {};
  std::vector<bool> is_open = found->second.is_answered;
  is_open.flip();
  for (size_t i = 0; i < is_open.size(); i++)
    if (is_open[i]) answer(number, i, AgentAnswer::Outcome::Failed, {});
  return {};
}

Result<void> ClientConnection::on_release(std::string_view payload) {
  KILN_TRY(const AgentRelease release, read_agent_release(payload));
  const std::set<RemoteName> names(release.names.begin(), release.names.end());
  end_leases([&](const Lease &lease) { return lease.is_granted && names.count(lease.name) != 0; });
  return {};
}

Result<void> ClientConnection::on_take(std::string_view payload) {
  KILN_TRY(const AgentTake request, read_agent_take(payload));
  if (remotes_.empty()) return breach("a request for jobs without a remote");
  JobHub &jobs = *remotes_.front().jobs;
  if (worker_ == 0) worker_ = jobs.next_worker();
  return jobs.take(worker_, request, [self = weak_from_this()](const AgentTasks &tasks) {
    if (const auto connection = self.lock(); connection && connection->state_ != State::Closed)
      connection->send(AgentMessage::Tasks, payload_of(tasks));
  });
}

Result<void> ClientConnection::on_finish(std::string_view payload) {
  KILN_TRY(const AgentFinish finish, read_agent_finish(payload));
  if (!remotes_.empty()) remotes_.front().jobs->finish(finish);
  return {};
}

// ---- writing

void ClientConnection::send(AgentMessage type, const std::string &payload) {
  out_.push_back(message_header(uint32_t(type), payload));
  out_.push_back(payload);
  out_bytes_ += out_[out_.size() - 2].size() + payload.size();
  flush_later();
}

/// Writes to the socket after the current callback, so that all answers of the callback go out together.
void ClientConnection::flush_later() {
  if (std::exchange(is_flush_due_, true)) return;
  loop_.defer([self = weak_from_this()] {
    const auto connection = self.lock();
    if (!connection) return;
    connection->is_flush_due_ = false;
    if (connection->state_ != State::Closed) connection->flush();
  });
}

void ClientConnection::flush() {
  const size_t before = out_bytes_;
  while (!out_.empty()) {
    std::array<iovec, 64> parts;
    const size_t count = std::min(parts.size(), out_.size());
    for (size_t i = 0; i < count; i++) parts[i] = {out_[i].data(), out_[i].size()};
    parts[0].iov_base = out_[0].data() + written_;
    parts[0].iov_len -= written_;
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const ssize_t sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (sent < 0) { // it has closed; read what it sent before that, which may contain uploads
      out_.clear();
      out_bytes_ = written_ = 0;
      break;
    }
    out_bytes_ -= size_t(sent);
    written_ += size_t(sent);
    while (!out_.empty() && written_ >= out_.front().size()) {
      written_ -= out_.front().size();
      out_.pop_front();
    }
  }
  if (out_.empty() && state_ == State::Closing) return drop("it was refused");
  // Read no new requests while the client does not read earlier answers.
  loop_.set_events(socket_.get(), (out_bytes_ < max_out ? uint32_t(EPOLLIN) : 0u) |
                                      (out_.empty() ? 0u : uint32_t(EPOLLOUT)));
  if (out_bytes_ < before || out_.empty()) loop_.cancel(progress_timer_);
  if (!out_.empty()) watch_progress();
  start_fetches();
}

void ClientConnection::watch_progress() {
  if (progress_timer_ == 0)
    progress_timer_ = loop_.after(progress_limit, [this] {
      progress_timer_ = 0;
      drop("it does not read its answers");
    });
}

void ClientConnection::drop(std::string_view why) {
  if (state_ == State::Closed) return;
  log_.debug("a connection ends: {}", why);
  const auto self = shared_from_this(); // keeps this object alive until the return
  const int descriptor = socket_.get();
  close();
  host_.on_closed(descriptor);
}

void ClientConnection::close() {
  if (std::exchange(state_, State::Closed) == State::Closed) return;
  loop_.cancel(progress_timer_);
  for (auto &[number, get] : gets_) loop_.cancel(get.timer);
  gets_.clear();
  end_leases([](const Lease &) { return true; });
  if (worker_ != 0) remotes_.front().jobs->leave(worker_);
  if (socket_) loop_.unwatch(socket_.get());
}

} // namespace kiln
