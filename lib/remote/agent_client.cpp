// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agent_client.h"

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

constexpr std::chrono::milliseconds start_limit{50}, send_limit{5}, put_limit{200}, first_put_limit{20},
    first_pause{100};
constexpr uint32_t get_limit_ms = 2000, max_patience_us = 50'000;
constexpr uint64_t max_wait_us = 60'000'000;
constexpr std::chrono::milliseconds wait_grace{50}; // the agent's answer comes at the end of a wait
constexpr unsigned max_pause_doublings = 8;         // 0.1 s to 25.6 s

/// Runs `program serve --background`, with default signals, no descriptors and a session of its own. The
/// process, or the error's number.
struct Started {
  pid_t process = -1;
  int error = 0;
};
Started start_program(const std::string &program, const std::string &socket_path) {
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
  Started started;
  started.error = ::posix_spawn(&started.process, program.c_str(), &actions, &attributes, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return started;
}

} // namespace

AgentClient::AgentClient(AgentClientOptions options) : options_(std::move(options)) {
  std::lock_guard lock(mutex_);
  auto connection = connect();
  if (connection.ok()) {
    idle_.push_back(std::move(*connection));
  } else if (options_.program.empty()) {
    leave_alone(connection.error());
  } else {
    start();
  }
}

AgentClient::~AgentClient() {
  if (starter_ >= 0) ::waitpid(pid_t(starter_), nullptr, WNOHANG);
}

Result<std::unique_ptr<AgentConnection>> AgentClient::connect() const {
  return AgentConnection::open(options_.socket_path, {.build = options_.build, .remotes = options_.remotes});
}

void AgentClient::start() {
  const Started started = start_program(options_.program, options_.socket_path);
  if (started.error)
    leave_alone(machine_error(fmt::format("the cache agent {} cannot be started: {}", options_.program,
                                          std::strerror(started.error))));
  else
    starter_ = started.process;
}

bool AgentClient::has_started() {
  if (starter_ < 0) return true;
  const int handle = above_standard_streams(int(::syscall(SYS_pidfd_open, pid_t(starter_), 0)));
  if (handle >= 0) {
    pollfd ended{handle, POLLIN, 0};
    ::poll(&ended, 1, int(start_limit.count()));
    ::close(handle);
  }
  int status = 0;
  const pid_t reaped = ::waitpid(pid_t(starter_), &status, WNOHANG);
  if (reaped == 0) {
    leave_alone(machine_error("the cache agent has not started within 50 ms"));
    return false;
  }
  starter_ = -1;
  // -1: the host waits for all of its children; whether somebody listens is seen by connecting.
  if (reaped < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return true;
  leave_alone(machine_error(
      fmt::format("the cache agent {} ended with status {:#x} when it was started", options_.program, status),
      "`kiln-agent serve` shows why"));
  return false;
}

std::unique_ptr<AgentConnection> AgentClient::take_connection() {
  std::lock_guard lock(mutex_);
  if (Clock::now() < quiet_until_) return nullptr;
  if (!idle_.empty()) {
    std::unique_ptr<AgentConnection> connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }
  if (!has_started()) return nullptr;
  auto connection = connect();
  if (connection.ok()) return std::move(*connection);
  leave_alone(connection.error());
  if (!options_.program.empty()) start(); // it may have been killed
  return nullptr;
}

void AgentClient::give_back(std::unique_ptr<AgentConnection> connection) {
  std::lock_guard lock(mutex_);
  if (idle_.size() < max_idle) idle_.push_back(std::move(connection));
}

void AgentClient::note_answer(uint32_t patience_us) {
  patience_us_.store(std::clamp(patience_us, 1u, max_patience_us), std::memory_order_relaxed);
}

void AgentClient::note_life() {
  std::lock_guard lock(mutex_);
  silences_ = pauses_ = 0;
}

void AgentClient::note_silence() {
  std::lock_guard lock(mutex_);
  if (++silences_ >= max_silences) leave_alone(machine_error("the cache agent does not answer in time"));
}

/// A connection broke. An agent that refuses a session, or says what is no message, is not asked at once
/// again.
void AgentClient::note_fault(const Error &why) {
  std::lock_guard lock(mutex_);
  leave_alone(why);
}

void AgentClient::leave_alone(const Error &why) {
  quiet_until_ = Clock::now() + first_pause * (1u << std::min(pauses_++, max_pause_doublings));
  silences_ = 0;
  idle_.clear();
  if (!std::exchange(warned_, true) && options_.warn)
    options_.warn(fmt::format("{} (Kiln compiles what the remote cache would have given)",
                              why.diagnostics()[0].message));
}

std::unique_ptr<AgentClient::Fetch> AgentClient::fetch(const RemoteName &name, std::optional<Lease> lease) {
  std::unique_ptr<AgentConnection> connection = take_connection();
  if (!connection) return nullptr;
  const AgentGet get{.number = connection->next_number(),
                     .limit_ms = get_limit_ms,
                     .wants_lease = lease.has_value(),
                     .cost_us = lease ? uint64_t(lease->cost.count()) : 0,
                     .names = {name}};
  if (auto sent = connection->send(AgentMessage::Get, payload_of(get), Clock::now() + send_limit);
      !sent.ok()) {
    std::lock_guard lock(mutex_);
    idle_.clear(); // of the same agent, which has ended
    return nullptr;
  }
  return std::unique_ptr<Fetch>(new Fetch(*this, std::move(connection), get));
}

std::optional<AgentAnswer::Outcome> AgentClient::Fetch::wait(Clock::time_point until) {
  while (connection_ && !is_answered_) {
    Result<std::optional<Message>> message = connection_->receive(until);
    if (connection_->welcome() && client_.patience_us_.load(std::memory_order_relaxed) == 0)
      client_.note_answer(connection_->welcome()->patience_us);
    if (message.ok() && !*message) return std::nullopt;
    Result<void> taken = message.ok() ? take(**message) : Result<void>(message.error());
    if (taken.ok()) continue;
    connection_.reset();
    client_.note_fault(taken.error());
  }
  return answer_.outcome; // Failed where the connection broke
}

Result<void> AgentClient::Fetch::take(const Message &message) {
  if (message.type == uint32_t(AgentMessage::Wait)) {
    KILN_TRY(const AgentWait wait, read_agent_wait(message.payload));
    const auto limit = std::chrono::microseconds(std::min(wait.at_most_us, max_wait_us)) + wait_grace;
    if (wait.number != number_) return {};
    others_until_ = Clock::now() + limit;
    if (wait_began_ == Clock::time_point()) wait_began_ = Clock::now();
    if (!wait.holder.empty()) holder_ = wait.holder;
    return {};
  }
  if (message.type != uint32_t(AgentMessage::Answer)) return machine_error("the cache agent gives no answer");
  KILN_TRY(AgentAnswer answer, read_agent_answer(message.payload));
  client_.note_answer(answer.patience_us);
  client_.note_life();
  if (answer.number != number_) return {}; // of a request that was cancelled
  answer_ = std::move(answer);
  is_answered_ = true;
  if (answer_.outcome != AgentAnswer::Outcome::Leased) client_.give_back(std::move(connection_));
  return {};
}

void AgentClient::Fetch::release() {
  if (!connection_ || !is_answered_) return;
  const std::string payload = payload_of(AgentRelease{.names = {name_}});
  if (connection_->send(AgentMessage::Release, payload, Clock::now()).ok())
    client_.give_back(std::move(connection_));
  connection_.reset(); // its end releases the lease, too
}

AgentClient::Fetch::~Fetch() {
  release();
  if (!connection_) return;
  if (others_until_ == Clock::time_point()) client_.note_silence();
  const std::string number = std::string(reinterpret_cast<const char *>(&number_), sizeof number_);
  if (connection_->send(AgentMessage::Cancel, number, Clock::now()).ok())
    client_.give_back(std::move(connection_));
}

bool AgentClient::send_spans(const std::string &json) {
  if (json.size() > max_span_bytes) return false;
  std::unique_ptr<AgentConnection> connection = take_connection();
  if (!connection || !connection->send(AgentMessage::Spans, json, Clock::now() + send_limit).ok())
    return false;
  give_back(std::move(connection));
  return true;
}

size_t AgentClient::put(std::vector<AgentPut::Entry> entries) {
  std::unique_ptr<AgentConnection> connection = take_connection();
  if (!connection) return 0;
  const AgentPut put{.number = connection->next_number(), .entries = std::move(entries)};
  // A session that ends waits for this. An agent that has said nothing yet may hang.
  const bool is_known = patience_us_.load(std::memory_order_relaxed) != 0;
  const Clock::time_point until = Clock::now() + (is_known ? put_limit : first_put_limit);
  if (!connection->send(AgentMessage::Put, payload_of(put), until).ok()) {
    note_silence();
    return 0;
  }
  for (;;) {
    Result<std::optional<Message>> message = connection->receive(until);
    if (!message.ok()) {
      note_fault(message.error());
      return 0;
    }
    if (!*message) {
      note_silence();
      return 0;
    }
    if ((*message)->type != uint32_t(AgentMessage::Taken)) continue; // of a request that was cancelled
    Result<AgentTaken> taken = read_agent_taken((*message)->payload);
    if (!taken.ok() || taken->number != put.number) return 0;
    note_life();
    give_back(std::move(connection));
    return taken->taken;
  }
}

} // namespace kiln
