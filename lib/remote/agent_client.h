// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "connection.h"
#include "patience.h"
#include "silence_mark.h"
#include "starter.h"

#include <functional>
#include <mutex>

namespace kiln {

struct AgentClientOptions {
  std::vector<std::string> remotes; ///< URLs, as in AgentHello
  std::string build;                ///< build_digest()
  std::string socket_path;          ///< agent_socket_path()
  std::string program;              ///< kiln-agent, started if no agent listens; empty: never started
  std::function<void(const std::string &)> warn;
};

/// A session's connections to the agent of its node. Thread-safe, without a thread of its own. No call fails:
/// an entry counts as missing if the agent does not send it. An entry that the agent does not accept is lost.
/// The first fault is a warning. After a fault or silence the client pauses (0.1 s, then twice as long each
/// time, at most 26 s). `warn` is called without a lock. Does nothing in a forked child.
class AgentClient {
public:
  using Clock = AgentConnection::Clock;

  /// Connects to the agent, or starts one. Waits for neither.
  explicit AgentClient(AgentClientOptions options);

  /// A pending request for one entry. Its destructor tells the agent that nobody waits any more.
  class Fetch {
  public:
    ~Fetch();
    /// Waits for the answer. No value: none by `until`, which is called again after each message. After an
    /// answer, or an error of the connection (Outcome::Failed), later calls return the same.
    std::optional<AgentAnswer::Outcome> wait(const std::function<Clock::time_point()> &until);
    std::optional<AgentAnswer::Outcome> wait(Clock::time_point until) {
      return wait([until] { return until; });
    }
    /// Ends an unsuccessful wait. The caller starts its work, and may poll now and then.
    void end_wait();
    /// Time until which wait() is worth another call, because another session compiles the entry. In the
    /// past: it is not.
    Clock::time_point others_until() const { return others_until_; }
    /// Start of another session's compile of the entry. Zero: none compiles it.
    Clock::time_point wait_began() const { return wait_began_; }
    const std::string &holder() const { return holder_; } ///< that session, "host:4711"; empty: unknown
    std::string take_bytes() { return std::move(answer_.bytes); } ///< after Outcome::Found
    /// The next entry (with_next), if the agent has sent it. Only for fetches without a lease.
    std::optional<AgentPut::Entry> take_next() { return std::exchange(next_, std::nullopt); }
    /// Ends the lease of Outcome::Leased, as the destructor does. Call it after put(), or when the compile
    /// fails. The next session compiles then.
    void release();

  private:
    friend class AgentClient;
    Fetch(AgentClient &client, std::unique_ptr<AgentConnection> connection, const AgentGet &get)
        : client_(client), connection_(std::move(connection)), number_(get.number), name_(get.names[0]),
          wants_lease_(get.wants_lease) {}
    Result<void> take(const Message &message); ///< an error ends the connection
    AgentClient &client_;
    std::unique_ptr<AgentConnection> connection_; ///< null: it failed, or the answer was no lease
    const uint64_t number_;
    const RemoteName name_;
    const bool wants_lease_;
    std::optional<AgentPut::Entry> next_;
    bool is_answered_ = false;
    Clock::time_point others_until_{}, wait_began_{};
    std::string holder_;
    AgentAnswer answer_;
  };
  struct Lease {
    std::chrono::microseconds cost{0}; ///< of the compile that a hit saves; 0: unknown
  };
  /// Sends a request. Null: no agent answers now. With `lease`, the caller compiles a missing entry, and
  /// others wait.
  std::unique_ptr<Fetch> fetch(const RemoteName &name, std::optional<Lease> lease = std::nullopt);

  /// Fetches many entries and their next ones (with_next) in one round trip. Returns the entries that arrive
  /// before a silence of 0.5 s. The others count as missing.
  std::vector<AgentPut::Entry> fetch_many(std::vector<RemoteName> names);

  /// Hands entries to the agent, which uploads them later. Returns the number of accepted entries.
  size_t put(std::vector<AgentPut::Entry> entries);

  /// Hands spans (OTLP/JSON) to the agent, which posts them later. Does not wait. False: the agent does not
  /// accept them now.
  bool send_spans(const std::string &json);
  static constexpr size_t max_span_bytes = 128 * 1024; ///< per call: must fit a socket's buffer

  /// Time to wait for an answer before the caller starts the work that a hit would save. `cost`: of that
  /// work, known or usual.
  std::chrono::microseconds patience(std::chrono::microseconds cost) const;

private:
  static constexpr size_t max_idle = 16;
  class Hold;
  bool is_foreign() const { return owner_ != process_token(); } ///< in a forked child
  std::unique_ptr<AgentConnection> send_get(AgentGet &get);
  std::unique_ptr<AgentConnection> take_connection();
  void give_back(std::unique_ptr<AgentConnection> connection);
  void note_message(std::optional<uint32_t> patience_us);
  void note_fault(const Error &why);
  // Under the mutex:
  Result<std::unique_ptr<AgentConnection>> connect();
  void start(bool waits);
  bool has_started();
  bool has_fallen_silent();
  void note_silence();
  void leave_alone(const Error &why);
  const AgentClientOptions options_;
  const uint64_t owner_ = process_token();
  const SilenceMark mark_;
  mutable std::mutex mutex_; ///< guards the fields below
  Patience patience_;
  std::vector<std::unique_ptr<AgentConnection>> idle_;
  Clock::time_point quiet_until_{};
  unsigned pauses_ = 0;
  bool is_marked_ = false; ///< this session has seen or set a mark
  bool has_warned_ = false;
  std::string warning_; ///< given after the mutex is released
  AgentStarter starter_;
  std::chrono::milliseconds start_wait_{0}; ///< for the agent of starter_
};

} // namespace kiln
