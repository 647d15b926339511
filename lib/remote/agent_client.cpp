// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agent_client.h"

#include <cerrno>
#include <thread>

namespace kiln {

namespace {

constexpr std::chrono::milliseconds start_limit{50}, send_limit{5}, first_pause{100};
constexpr std::chrono::milliseconds max_silence{500}; // between two answers for several entries
/// Maximum wait of put(). The short limit holds for an agent that has not answered yet or is silent, and the
/// long one for patient programs.
constexpr std::chrono::milliseconds put_limit{200}, doubtful_put_limit{20}, patient_put_limit{3000};
constexpr std::chrono::milliseconds start_pause{1};     // between attempts to connect to a starting agent
constexpr std::chrono::milliseconds greeting_limit{20}; // a running agent greets within this time
constexpr uint64_t max_wait_us = 60'000'000;
constexpr std::chrono::milliseconds wait_grace{50}; // after an announced wait, when the answer comes
constexpr unsigned max_pause_doublings = 8;         // 0.1 s to 25.6 s

} // namespace

/// Locks the client's mutex. The destructor unlocks it, and then passes a pending warning to the embedder's
/// function, which may call the session.
class AgentClient::Hold {
public:
  explicit Hold(AgentClient &client) : client_(client), lock_(client.mutex_) {}
  ~Hold() {
    const std::string warning = std::exchange(client_.warning_, {});
    lock_.unlock();
    if (!warning.empty()) client_.options_.warn(warning);
  }
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;

private:
  AgentClient &client_;
  std::unique_lock<std::mutex> lock_;
};

AgentClient::AgentClient(AgentClientOptions options)
    : options_(std::move(options)), mark_(options_.socket_path) {
  const Hold hold(*this);
  const auto silence = mark_.age();
  is_marked_ = silence.has_value();
  if (silence && *silence > Patience::answer_limit)
    patience_.doubt(); // a more recent mark may only mean that the machine was busy
  if (auto connection = connect(); connection.ok()) idle_.push_back(std::move(*connection));
}

/// Connects to the agent, or starts one if none listens. The client later waits only for the first agent of a
/// node. An agent that was killed may be killed again and again.
Result<std::unique_ptr<AgentConnection>> AgentClient::connect() {
  int error = 0;
  auto connection = AgentConnection::open(options_.socket_path,
                                          {.build = options_.build, .remotes = options_.remotes}, error);
  if (connection.ok()) return connection;
  if (error == EAGAIN) { // too many connections wait for the agent
    note_silence();
  } else if ((error == ENOENT || error == ECONNREFUSED) && !options_.program.empty()) {
    start(error == ENOENT);
  } else {
    leave_alone(connection.error());
  }
  return connection;
}

void AgentClient::start(bool waits) {
  start_wait_ = waits && !is_marked_ ? start_limit : std::chrono::milliseconds(0);
  if (Result<void> started = starter_.start(options_.program, options_.socket_path); !started.ok())
    leave_alone(started.error());
}

/// Returns true if the agent that this client started listens. Waits for it once.
bool AgentClient::has_started() {
  const auto limit = std::exchange(start_wait_, std::chrono::milliseconds(0));
  Result<bool> ended = starter_.wait(limit);
  if (!ended.ok()) {
    leave_alone(ended.error());
    return false;
  }
  if (!*ended && limit.count() != 0) {
    mark_.set();
    is_marked_ = true;
  }
  return *ended;
}

std::unique_ptr<AgentConnection> AgentClient::take_connection() {
  if (is_foreign()) return nullptr;
  const Hold hold(*this);
  if (Clock::now() < quiet_until_ || has_fallen_silent()) return nullptr;
  if (!idle_.empty()) {
    std::unique_ptr<AgentConnection> connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }
  const bool was_started = starter_.is_running();
  if (!has_started()) return nullptr;
  auto connection = connect();
  if (connection.ok()) return std::move(*connection);
  // The agent has ended: pause, unless connect() has already begun a pause for a known reason.
  if ((was_started || patience_.is_met()) && Clock::now() >= quiet_until_) leave_alone(connection.error());
  return nullptr;
}

void AgentClient::give_back(std::unique_ptr<AgentConnection> connection) {
  const Hold hold(*this);
  if (idle_.size() < max_idle) idle_.push_back(std::move(connection));
}

/// Records that the agent sent a message. `patience_us`: the servers' answer time in the message, if it has
/// one.
void AgentClient::note_message(std::optional<uint32_t> patience_us) {
  const Hold hold(*this);
  patience_.on_message();
  if (patience_us) patience_.set_expected(*patience_us);
  pauses_ = 0;
  if (std::exchange(is_marked_, false)) mark_.remove();
}

/// Records an error of a connection: a break, a refusal, or an invalid message. The client then pauses.
void AgentClient::note_fault(const Error &why) {
  const Hold hold(*this);
  leave_alone(why);
}

/// Records that the agent sent no greeting. If sessions observe this for longer than any answer may take, the
/// machine is not just busy, and the client pauses.
void AgentClient::note_silence() {
  const auto age = mark_.age();
  mark_.set();
  is_marked_ = true;
  patience_.doubt();
  if (age && *age > Patience::answer_limit) leave_alone(machine_error("the cache agent does not answer"));
}

/// Returns true if an expected message is overdue. Reads pending messages before it decides.
bool AgentClient::has_fallen_silent() {
  const Clock::time_point now = Clock::now();
  if (!patience_.is_silent(now)) return false;
  for (const auto &connection : idle_) {
    const bool was_welcome = connection->welcome().has_value();
    const auto message = connection->receive(now);
    if (message.ok() && (*message || connection->welcome().has_value() != was_welcome))
      patience_.on_message();
  }
  if (!patience_.is_silent(now)) return false;
  mark_.set();
  is_marked_ = true;
  leave_alone(machine_error("the cache agent does not answer in time"));
  return true;
}

void AgentClient::leave_alone(const Error &why) {
  quiet_until_ = Clock::now() + first_pause * (1u << std::min(pauses_++, max_pause_doublings));
  idle_.clear();
  patience_.on_break();
  if (!std::exchange(has_warned_, true) && options_.warn)
    warning_ = fmt::format("{} (Kiln compiles what the remote cache would have given)",
                           why.diagnostics()[0].message);
}

void AgentClient::be_patient() {
  const std::lock_guard lock(mutex_);
  patience_.be_patient();
}

std::chrono::microseconds AgentClient::patience(std::chrono::microseconds cost) const {
  const std::lock_guard lock(mutex_);
  return patience_.wait(cost);
}

/// Null: no agent answers now.
std::unique_ptr<AgentConnection> AgentClient::send_get(AgentGet &get) {
  std::unique_ptr<AgentConnection> connection = take_connection();
  if (!connection) return nullptr;
  get.number = connection->next_number();
  get.limit_ms = uint32_t(Patience::answer_limit.count());
  auto sent = connection->send(AgentMessage::Get, payload_of(get), Clock::now() + send_limit);
  const Hold hold(*this);
  if (!sent.ok()) {
    idle_.clear(); // the idle connections belong to an agent that has ended
    return nullptr;
  }
  patience_.on_sent(Clock::now());
  return connection;
}

std::unique_ptr<AgentClient::Fetch> AgentClient::fetch(const RemoteName &name, std::optional<Lease> lease) {
  AgentGet get{.wants_lease = lease.has_value(),
               .cost_us = lease ? uint64_t(lease->cost.count()) : 0,
               .names = {name}};
  std::unique_ptr<AgentConnection> connection = send_get(get);
  return std::unique_ptr<Fetch>(connection ? new Fetch(*this, std::move(connection), get) : nullptr);
}

std::vector<AgentPut::Entry> AgentClient::fetch_many(std::vector<RemoteName> names) {
  std::vector<AgentPut::Entry> found;
  if (names.empty()) return found;
  AgentGet get{.names = std::move(names)};
  std::unique_ptr<AgentConnection> connection = send_get(get);
  if (!connection) return found;
  const size_t count = get.names.size();
  std::vector<std::string> nexts(count);
  auto until = Clock::now() + max_silence;
  for (size_t left = count; left != 0;) {
    Result<std::optional<Message>> message = connection->receive(until);
    if (!message.ok()) return note_fault(message.error()), found;
    if (!*message) {
      if (Clock::now() < until) continue; // the greeting
      const Hold hold(*this);
      patience_.on_left();
      return found; // closing the connection cancels the other requests
    }
    if ((*message)->type != uint32_t(AgentMessage::Answer)) continue;
    Result<AgentAnswer> answer = read_agent_answer((*message)->payload);
    if (!answer.ok()) return note_fault(answer.error()), found;
    note_message(answer->patience_us);
    until = Clock::now() + max_silence;
    if (answer->number != get.number || answer->index >= 2 * count) continue;
    if (answer->index >= count) {
      nexts[answer->index - count] = std::move(answer->bytes);
      continue;
    }
    left--;
    if (answer->outcome != AgentAnswer::Outcome::Found) continue;
    const auto next = take_next(answer->bytes);
    std::string &next_bytes = nexts[answer->index];
    if (next && !next_bytes.empty()) found.push_back({*next, std::move(next_bytes)});
    found.push_back({get.names[answer->index], std::move(answer->bytes)});
  }
  give_back(std::move(connection));
  return found;
}

std::optional<AgentAnswer::Outcome> AgentClient::Fetch::wait(
    const std::function<Clock::time_point()> &until) {
  while (connection_ && !is_answered_) {
    const bool was_welcome = connection_->welcome().has_value();
    Result<std::optional<Message>> message = connection_->receive(until());
    if (!was_welcome && connection_->welcome()) client_.note_message(connection_->welcome()->patience_us);
    if (message.ok() && !*message) {
      if (Clock::now() >= until()) return std::nullopt;
      continue;
    }
    Result<void> taken = message.ok() ? take(**message) : Result<void>(message.error());
    if (taken.ok()) continue;
    connection_.reset();
    client_.note_fault(taken.error());
  }
  return answer_.outcome; // Failed if the connection broke
}

Result<void> AgentClient::Fetch::take(const Message &message) {
  if (message.type == uint32_t(AgentMessage::Wait)) {
    KILN_TRY(const AgentWait wait, read_agent_wait(message.payload));
    client_.note_message(std::nullopt);
    const auto limit = std::chrono::microseconds(std::min(wait.at_most_us, max_wait_us)) + wait_grace;
    if (wait.number != number_) return {};
    others_until_ = Clock::now() + limit;
    if (wait_began_ == Clock::time_point()) wait_began_ = Clock::now();
    if (!wait.holder.empty()) holder_ = wait.holder;
    return {};
  }
  if (message.type == uint32_t(AgentMessage::Taken)) { // of a put() that did not wait
    client_.note_message(std::nullopt);
    return {};
  }
  if (message.type != uint32_t(AgentMessage::Answer)) return machine_error("the cache agent gives no answer");
  KILN_TRY(AgentAnswer answer, read_agent_answer(message.payload));
  client_.note_message(answer.patience_us);
  if (answer.number != number_) return {}; // of a cancelled request
  if (answer.index != 0) {
    next_ = {{.name = {}, .bytes = std::move(answer.bytes)}};
    return {};
  }
  answer_ = std::move(answer);
  is_answered_ = true;
  const auto name = wants_lease_ ? std::nullopt : kiln::take_next(answer_.bytes);
  if (next_ && name)
    next_->name = *name;
  else
    next_.reset();
  if (answer_.outcome != AgentAnswer::Outcome::Leased) client_.give_back(std::move(connection_));
  return {};
}

void AgentClient::Fetch::end_wait() {
  if (!connection_ || is_answered_ || others_until_ != Clock::time_point()) return;
  const Hold hold(client_);
  client_.patience_.on_left();
}

void AgentClient::Fetch::release() {
  if (!connection_ || !is_answered_) return;
  const std::string payload = payload_of(AgentRelease{.names = {name_}});
  if (connection_->send(AgentMessage::Release, payload, Clock::now()).ok())
    client_.give_back(std::move(connection_));
  connection_.reset(); // closing the connection releases the lease, too
}

/// Ends the request. Reads pending messages first: an agent that answered late is only slow, and one that
/// sent nothing may be silent.
AgentClient::Fetch::~Fetch() {
  if (client_.is_foreign()) return;
  (void)wait(Clock::now());
  release();
  if (!connection_) return;
  if (!connection_->welcome()) {
    const Hold hold(client_);
    if (client_.patience_.silence(Clock::now()) > greeting_limit) client_.note_silence();
  }
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

/// Takes a connection. Waits, without the mutex, for an agent that is starting. Null: none listens.
std::unique_ptr<AgentConnection> AgentClient::wait_for_connection() {
  const Clock::time_point began = Clock::now();
  for (;;) {
    if (auto connection = take_connection()) return connection;
    {
      const Hold hold(*this);
      if (is_foreign() || !starter_.is_running()) return nullptr;
      // The destructor waits for the start until then, too.
      const auto until = patience_.is_patient() ? began + patient_put_limit : starter_.end_of_wait();
      if (Clock::now() >= until) return nullptr;
    }
    std::this_thread::sleep_for(start_pause);
  }
}

/// Sends the entries. A connected agent gets them even if it runs only after this process has ended.
size_t AgentClient::put(std::vector<AgentPut::Entry> entries) {
  std::unique_ptr<AgentConnection> connection = wait_for_connection();
  if (!connection) return 0;
  if (!connection->welcome()) { // it may have arrived
    (void)connection->receive(Clock::now());
    if (connection->welcome()) note_message(connection->welcome()->patience_us);
  }
  const AgentPut put{.number = connection->next_number(), .entries = std::move(entries)};
  bool is_doubtful = false;
  Clock::time_point until = Clock::now();
  {
    const Hold hold(*this);
    is_doubtful = !patience_.is_patient() && (patience_.is_doubted() || !patience_.is_met());
    until += patience_.is_patient() ? patient_put_limit : is_doubtful ? doubtful_put_limit : put_limit;
    patience_.on_sent(Clock::now());
  }
  auto left = [&] {
    const Hold hold(*this);
    patience_.on_left();
    return size_t(0);
  };
  if (!connection->send(AgentMessage::Put, payload_of(put), until).ok()) {
    if (Clock::now() >= until) return left();
    const Hold hold(*this);
    idle_.clear(); // the idle connections belong to an agent that has ended
    patience_.on_break();
    return 0;
  }
  if (is_doubtful) {
    give_back(std::move(connection));
    return 0;
  }
  for (;;) {
    const bool was_welcome = connection->welcome().has_value();
    Result<std::optional<Message>> message = connection->receive(until);
    if (!message.ok()) {
      note_fault(message.error());
      return 0;
    }
    if (!was_welcome && connection->welcome()) note_message(connection->welcome()->patience_us);
    if (!*message) {
      if (Clock::now() >= until) return left();
      continue;
    }
    note_message(std::nullopt);
    if ((*message)->type != uint32_t(AgentMessage::Taken)) continue; // of a cancelled request
    Result<AgentTaken> taken = read_agent_taken((*message)->payload);
    if (!taken.ok()) return 0;
    if (taken->number != put.number) continue; // of a put() that did not wait
    give_back(std::move(connection));
    return taken->taken;
  }
}

} // namespace kiln
