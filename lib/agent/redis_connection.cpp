// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "redis_connection.h"

#include <support/descriptor.h>

#include <cerrno>
#include <cstring>
#include <hiredis/hiredis.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

namespace kiln {

namespace {

std::string formatted(const std::vector<std::string_view> &words) {
  std::vector<const char *> texts;
  std::vector<size_t> sizes;
  for (std::string_view word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  char *command = nullptr;
  const auto length = ::redisFormatCommandArgv(&command, int(words.size()), texts.data(), sizes.data());
  std::string out(command, length > 0 ? size_t(length) : 0);
  ::redisFreeCommand(command);
  return out;
}

// Functions by which hiredis builds a RedisReply. A list is refused, since no command of the agent returns
// one. A hostile server that announces two thousand million elements then causes no allocation.

void *make_text(const redisReadTask *task, char *text, size_t size) {
  const auto kind = task->type == REDIS_REPLY_ERROR    ? RedisReply::Kind::Fault
                    : task->type == REDIS_REPLY_STATUS ? RedisReply::Kind::Status
                                                       : RedisReply::Kind::Text;
  return new RedisReply{kind, std::string(text, size)};
}
template <class Count> void *refuse_array(const redisReadTask *, Count) { return nullptr; }
void *make_integer(const redisReadTask *, long long) { return new RedisReply{RedisReply::Kind::Integer, {}}; }
void *make_nil(const redisReadTask *) { return new RedisReply{RedisReply::Kind::Nil, {}}; }
void free_reply(void *reply) { delete static_cast<RedisReply *>(reply); }

redisReader *make_reader() {
  static redisReplyObjectFunctions functions = [] {
    redisReplyObjectFunctions f{};
    f.createString = make_text;
    f.createArray = refuse_array; // hiredis' version decides between int and size_t
    f.createInteger = make_integer;
    f.createNil = make_nil;
    f.freeObject = free_reply;
    return f;
  }();
  return ::redisReaderCreateWithFunctions(&functions);
}

std::string system_text(int code) { return std::generic_category().message(code); }

} // namespace

RedisConnection::RedisConnection(EventLoop &loop, const RemoteUrl &url,
                                 std::shared_ptr<HelperThread> resolver)
    : loop_(loop), url_(url), resolver_(std::move(resolver)) {}

RedisConnection::~RedisConnection() {
  *alive_ = false;
  loop_.cancel(timer_);
  if (socket_) loop_.unwatch(socket_.get());
  ::redisReaderFree(reader_);
}

void RedisConnection::send(const std::vector<std::string_view> &words, std::chrono::milliseconds limit,
                           Done done) {
  pending_.push_back({EventLoop::now() + limit, std::move(done)});
  if (state_ == State::Closed) begin();
  out_ += formatted(words);
  arm_timer();
  // Flush after the current callback, so that its commands share a packet.
  if (std::exchange(is_flush_due_, true)) return;
  loop_.defer([this, alive = alive_] {
    if (!*alive) return;
    is_flush_due_ = false;
    if (state_ == State::Open && flush()) set_events();
  });
}

// ---- connecting

void RedisConnection::begin() {
  state_ = State::Resolving;
  attempt_++;
  out_.clear();
  written_ = 0;
  greetings_ = 0;
  if (!url_.password.empty()) {
    std::vector<std::string_view> words{"AUTH"};
    if (!url_.user.empty()) words.push_back(url_.user);
    words.push_back(url_.password);
    out_ += formatted(words);
    greetings_++;
  }
  if (!url_.path.empty() && url_.path != "0") {
    out_ += formatted({"SELECT", url_.path});
    greetings_++;
  }
  resolver_->run([this, alive = alive_, mailbox = loop_.mailbox(), attempt = attempt_, host = url_.host,
                  port = std::to_string(url_.port)] {
    addrinfo hints{}, *found = nullptr;
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    std::vector<Address> addresses;
    if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) == 0) {
      for (addrinfo *each = found; each; each = each->ai_next) {
        Address &address = addresses.emplace_back();
        std::memcpy(&address.address, each->ai_addr, each->ai_addrlen);
        address.length = each->ai_addrlen;
      }
      ::freeaddrinfo(found);
    }
    mailbox->post([this, alive, attempt, addresses = std::move(addresses)] {
      if (*alive && attempt == attempt_ && state_ == State::Resolving) on_addresses(addresses);
    });
  });
}

void RedisConnection::on_addresses(std::vector<Address> addresses) {
  if (addresses.empty()) return fail(fmt::format("the host {} has no address", url_.host));
  addresses_ = std::move(addresses);
  connect_next(0);
}

void RedisConnection::connect_next(int last_error) {
  if (socket_) loop_.unwatch(socket_.get());
  socket_.close();
  for (state_ = State::Connecting; !addresses_.empty();) {
    const Address next = addresses_.front();
    addresses_.erase(addresses_.begin());
    socket_ = OwnedDescriptor(above_standard_streams(
        ::socket(next.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
    const int on = 1;
    if (socket_) ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (socket_ &&
        (::connect(socket_.get(), reinterpret_cast<const sockaddr *>(&next.address), next.length) == 0 ||
         errno == EINPROGRESS)) {
      loop_.watch(socket_.get(), EPOLLOUT, [this](uint32_t events) { on_ready(events); });
      return;
    }
    last_error = errno;
    socket_.close();
  }
  fail(fmt::format("cannot connect: {}", system_text(last_error)));
}

void RedisConnection::on_connected() {
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return connect_next(error);
  state_ = State::Open;
  addresses_.clear();
  ::redisReaderFree(reader_);
  reader_ = make_reader();
  unparsed_bytes_ = 0;
}

// ---- talking

void RedisConnection::on_ready(uint32_t events) {
  if (state_ == State::Connecting) on_connected();
  if (state_ != State::Open) return;
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR) && !read()) return;
  if (flush()) set_events();
}

void RedisConnection::set_events() {
  loop_.set_events(socket_.get(), EPOLLIN | (written_ < out_.size() ? uint32_t(EPOLLOUT) : 0u));
}

/// False: the connection failed.
bool RedisConnection::flush() {
  while (written_ < out_.size()) {
    const ssize_t sent = ::send(socket_.get(), out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (sent < 0) {
      fail(fmt::format("the connection broke: {}", system_text(errno)));
      return false;
    }
    written_ += size_t(sent);
  }
  out_.clear();
  written_ = 0;
  return true;
}

/// False: the connection failed.
bool RedisConnection::read() {
  char buffer[64 * 1024];
  const ssize_t got = ::recv(socket_.get(), buffer, sizeof buffer, 0);
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return true;
  if (got <= 0) {
    fail(got == 0 ? "the server closed the connection"
                  : fmt::format("the connection broke: {}", system_text(errno)));
    return false;
  }
  unparsed_bytes_ += size_t(got);
  if (::redisReaderFeed(reader_, buffer, size_t(got)) != REDIS_OK) {
    fail(printable(reader_->errstr));
    return false;
  }
  return take_replies();
}

bool RedisConnection::take_replies() {
  const uint64_t attempt = attempt_;
  for (;;) {
    void *object = nullptr;
    if (::redisReaderGetReply(reader_, &object) != REDIS_OK) {
      fail(fmt::format("a reply that Redis does not send: {}", printable(reader_->errstr)));
      return false;
    }
    if (!object) break;
    const std::unique_ptr<RedisReply> reply(static_cast<RedisReply *>(object));
    unparsed_bytes_ = reader_->len - reader_->pos;
    if (greetings_ > 0) {
      on_greeting(*reply);
    } else if (pending_.empty()) {
      fail("a reply that no command asked for");
    } else {
      const Done done = std::move(pending_.front().done);
      pending_.pop_front();
      done(std::move(*reply));
    }
    if (state_ != State::Open || attempt != attempt_) return false;
  }
  if (unparsed_bytes_ > max_entry_bytes + 1024) {
    fail(fmt::format("a reply of more than {} bytes", max_entry_bytes));
    return false;
  }
  arm_timer();
  return true;
}

void RedisConnection::on_greeting(const RedisReply &reply) {
  greetings_--;
  if (reply.kind == RedisReply::Kind::Fault)
    fail(fmt::format("it refuses AUTH or SELECT: {}", printable(reply.text)));
}

/// Ends the connection, and fails all pending commands. The next command connects again.
void RedisConnection::fail(const std::string &why) {
  if (socket_) loop_.unwatch(socket_.get());
  socket_.close();
  state_ = State::Closed;
  attempt_++;
  addresses_.clear();
  loop_.cancel(timer_);
  for (Pending &each : std::exchange(pending_, {}))
    loop_.defer([done = std::move(each.done), why] { done(machine_error(why)); });
}

/// Sets the timer to the deadline of the oldest command: later commands have later deadlines.
void RedisConnection::arm_timer() {
  if (pending_.empty()) return loop_.cancel(timer_);
  if (timer_ != 0) return;
  timer_ = loop_.after(pending_.front().deadline - EventLoop::now(), [this] {
    timer_ = 0;
    if (!pending_.empty() && pending_.front().deadline <= EventLoop::now())
      fail(state_ == State::Open ? "no reply in time" : "no connection in time");
    else
      arm_timer();
  });
}

} // namespace kiln
