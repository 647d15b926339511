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
  std::string program;              ///< kiln-agent, started if nobody listens; empty: nobody starts it
  std::function<void(const std::string &)> warn;
};

/// A session's way to the agent of its node. Thread-safe, and without a thread of its own. Nothing fails
/// here: an entry that the agent does not give is missing, one that it does not take is lost, and the first
/// fault is a warning. An agent that is broken or silent is left alone for a while (0.1 s, then twice as long
/// each time, at most 26 s). `warn` is called without a lock. In a child of the process that made it, it does
/// nothing.
class AgentClient {
public:
  using Clock = AgentConnection::Clock;

  /// Connects to the agent, or starts one. Waits for neither.
  explicit AgentClient(AgentClientOptions options);

  /// A request under way for one entry. Destroying it tells the agent that nobody waits any more.
  class Fetch {
  public:
    ~Fetch();
    /// The answer; no value: none has come by `until`, which is asked again after each message. After an
    /// answer, or an error of the connection (Outcome::Failed), the same each time.
    std::optional<AgentAnswer::Outcome> wait(const std::function<Clock::time_point()> &until);
    std::optional<AgentAnswer::Outcome> wait(Clock::time_point until) {
      return wait([until] { return until; });
    }
    /// The caller has waited in vain. It begins its work, and may look now and then.
    void end_wait();
    /// Until when wait() is worth another call: another session compiles the entry. The past: it is not.
    Clock::time_point others_until() const { return others_until_; }
    /// Since when another session compiles the entry; zero: none does.
    Clock::time_point wait_began() const { return wait_began_; }
    const std::string &holder() const { return holder_; } ///< that session, "host:4711"; empty: not known
    std::string take_bytes() { return std::move(answer_.bytes); } ///< after Outcome::Found
    /// The entry that the found one names (with_next), if the agent has sent it. Not of a fetch with a lease.
    std::optional<AgentPut::Entry> take_next() { return std::exchange(next_, std::nullopt); }
    /// Ends the lease of Outcome::Leased, as the destructor does. Call it after put(), or where the compile
    /// fails; the next session compiles then.
    void release();

  private:
    friend class AgentClient;
    Fetch(AgentClient &client, std::unique_ptr<AgentConnection> connection, const AgentGet &get)
        : client_(client), connection_(std::move(connection)), number_(get.number), name_(get.names[0]),
          wants_lease_(get.wants_lease) {}
    Result<void> take(const Message &message); ///< an error ends the connection
    AgentClient &client_;
    std::unique_ptr<AgentConnection> connection_; ///< null: it broke, or an answer has come that is no lease
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
    std::chrono::microseconds cost{0}; ///< of the compile that a hit spares; 0: unknown
  };
  /// Null: no agent answers now. With `lease`, the caller compiles an entry that is absent, and others wait.
  std::unique_ptr<Fetch> fetch(const RemoteName &name, std::optional<Lease> lease = std::nullopt);

  /// Fetches many entries, and those that they name (with_next), in one round trip. Returns those that came
  /// before a silence of 0.1 s; the others are missing.
  std::vector<AgentPut::Entry> fetch_many(std::vector<RemoteName> names);

  /// Hands entries to the agent, which uploads them later. The number that it took.
  size_t put(std::vector<AgentPut::Entry> entries);

  /// Hands spans (OTLP/JSON) to the agent, which posts them later. Waits for nothing. False: the agent does
  /// not take them now.
  bool send_spans(const std::string &json);
  static constexpr size_t max_span_bytes = 128 * 1024; ///< of one hand-over: a socket's buffer takes it

  /// Time that a caller waits for an answer before it begins the work that a hit would spare. `cost`: of that
  /// work, known or usual.
  std::chrono::microseconds patience(std::chrono::microseconds cost) const;

private:
  static constexpr size_t max_idle = 16;
  class Hold;
  bool is_foreign() const { return owner_ != process_token(); } ///< in a child of the owner
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
  mutable std::mutex mutex_; ///< of what follows
  Patience patience_;
  std::vector<std::unique_ptr<AgentConnection>> idle_;
  Clock::time_point quiet_until_{};
  unsigned pauses_ = 0;
  bool is_marked_ = false; ///< this session has seen or left a mark
  bool has_warned_ = false;
  std::string warning_; ///< given when the mutex is free
  AgentStarter starter_;
  std::chrono::milliseconds start_wait_{0}; ///< for the agent that starter_ starts
};

} // namespace kiln
