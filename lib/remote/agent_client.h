// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "connection.h"

#include <atomic>
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
/// fault is a warning. An agent that says nothing three times in a row is left alone for a while (0.1 s, then
/// twice as long each time, at most 30 s).
class AgentClient {
public:
  using Clock = AgentConnection::Clock;

  /// Connects to the agent, or starts one. Waits for neither.
  explicit AgentClient(AgentClientOptions options);
  ~AgentClient();

  /// A request under way for one entry. Destroying it tells the agent that nobody waits any more.
  class Fetch {
  public:
    ~Fetch();
    /// The answer; no value: none has come by `until`. After an answer, or an error of the connection
    /// (Outcome::Failed), the same each time.
    std::optional<AgentAnswer::Outcome> wait(Clock::time_point until);
    /// Until when wait() is worth another call: another session compiles the entry. The past: it is not.
    Clock::time_point others_until() const { return others_until_; }
    /// Since when another session compiles the entry; zero: none does.
    Clock::time_point wait_began() const { return wait_began_; }
    const std::string &holder() const { return holder_; } ///< that session, "host:4711"; empty: not known
    std::string take_bytes() { return std::move(answer_.bytes); } ///< after Outcome::Found
    /// Ends the lease of Outcome::Leased, as the destructor does. Call it after put(), or where the compile
    /// fails; the next session compiles then.
    void release();

  private:
    friend class AgentClient;
    Fetch(AgentClient &client, std::unique_ptr<AgentConnection> connection, const AgentGet &get)
        : client_(client), connection_(std::move(connection)), number_(get.number), name_(get.names[0]) {}
    Result<void> take(const Message &message); ///< an error ends the connection
    AgentClient &client_;
    std::unique_ptr<AgentConnection> connection_; ///< null: it broke, or an answer has come that is no lease
    const uint64_t number_;
    const RemoteName name_;
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

  /// Hands entries to the agent, which uploads them later. The number that it took.
  size_t put(std::vector<AgentPut::Entry> entries);

  /// Hands spans (OTLP/JSON) to the agent, which posts them later. Waits for nothing. False: the agent does
  /// not take them now.
  bool send_spans(const std::string &json);
  static constexpr size_t max_span_bytes = 128 * 1024; ///< of one hand-over: a socket's buffer takes it

  /// Time that a caller waits for an answer before it begins the work that a hit would spare.
  std::chrono::microseconds patience() const {
    return std::chrono::microseconds(patience_us_.load(std::memory_order_relaxed));
  }

private:
  static constexpr size_t max_idle = 16;
  static constexpr unsigned max_silences = 3;
  Result<std::unique_ptr<AgentConnection>> connect() const;
  std::unique_ptr<AgentConnection> take_connection();
  void give_back(std::unique_ptr<AgentConnection> connection);
  void start();
  bool has_started(); ///< waits once, for at most 50 ms, for an agent that this client started
  void note_answer(uint32_t patience_us);
  void note_silence();
  void note_life(); ///< a message has come
  void note_fault(const Error &why);
  void leave_alone(const Error &why); ///< under the mutex
  const AgentClientOptions options_;
  std::atomic<uint32_t> patience_us_{0}; ///< 0: no agent has said anything yet
  std::mutex mutex_;                     ///< of what follows
  std::vector<std::unique_ptr<AgentConnection>> idle_;
  Clock::time_point quiet_until_{};
  unsigned silences_ = 0, pauses_ = 0;
  bool warned_ = false;
  int64_t starter_ = -1; ///< the process that starts the agent and ends when it listens; -1: none
};

} // namespace kiln
