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
  /// Path of kiln-agent, to start one if none listens; empty: never start one.
  std::string program;
  std::function<void(const std::string &)> warn;
};

/// A session's connections to the agent of its node. Thread-safe, without a thread of its own. No call fails.
/// An entry that the agent does not send counts as missing, and one that it does not accept is lost. The
/// first fault is reported as a warning. After a fault or silence the client pauses (0.1 s, then twice as
/// long each time, at most 26 s). `warn` is called without a lock. Does nothing in a forked child.
class AgentClient {
public:
  using Clock = AgentConnection::Clock;

  /// Connects to the agent, or starts an agent. Does not wait for either.
  explicit AgentClient(AgentClientOptions options);

  /// A pending request for one entry. The destructor tells the agent that the answer is no longer needed.
  class Fetch {
  public:
    ~Fetch();
    /// Waits for the answer. No value: none came by `until`, which is called again after each message. After
    /// an answer or an error of the connection (Outcome::Failed), further calls return the same outcome.
    std::optional<AgentAnswer::Outcome> wait(const std::function<Clock::time_point()> &until);
    std::optional<AgentAnswer::Outcome> wait(Clock::time_point until) {
      return wait([until] { return until; });
    }
    /// Called when wait() ended without an answer and the caller starts its own work. The caller may poll
    /// meanwhile.
    void end_wait();
    /// Time until which another wait() is useful, because another session compiles the entry. A time in the
    /// past: no session does.
    Clock::time_point others_until() const { return others_until_; }
    /// Time when this session began to wait for another session's compile. Zero: it does not wait for one.
    Clock::time_point wait_began() const { return wait_began_; }
    const std::string &holder() const { return holder_; } ///< that session, "host:4711"; empty: unknown
    std::string take_bytes() { return std::move(answer_.bytes); } ///< after Outcome::Found
    /// Takes the second entry that came with the answer: the one that the entry names as its next
    /// (with_next). Only for requests without a lease.
    std::optional<AgentPut::Entry> take_next() { return std::exchange(next_, std::nullopt); }
    /// Releases the lease of Outcome::Leased, as the destructor does. Call it after put(), or when the
    /// compile failed. The next waiting session then compiles.
    void release();

  private:
    friend class AgentClient;
    Fetch(AgentClient &client, std::unique_ptr<AgentConnection> connection, const AgentGet &get)
        : client_(client), connection_(std::move(connection)), number_(get.number), name_(get.names[0]),
          wants_lease_(get.wants_lease) {}
    Result<void> take(const Message &message); ///< an error ends the connection
    AgentClient &client_;
    std::unique_ptr<AgentConnection> connection_; ///< null after a fault, or after an answer without a lease
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
    std::chrono::microseconds cost{0}; ///< time of the compile that a hit would save; 0: unknown
  };
  /// Requests an entry. Null: no agent answers now. With `lease`, the caller will compile the entry if it is
  /// missing, and other sessions wait for it.
  std::unique_ptr<Fetch> fetch(const RemoteName &name, std::optional<Lease> lease = std::nullopt);

  /// Requests many entries in one round trip, each with the next entry that it names (with_next). Returns the
  /// entries received. Entries that come after a silence of 0.5 s count as missing.
  std::vector<AgentPut::Entry> fetch_many(std::vector<RemoteName> names);

  /// Gives entries to the agent, which uploads them later. Returns the number of entries that it accepted so
  /// far. Waits up to 0.2 s for the reply of an agent that has answered before. Other agents read the entries
  /// later. After be_patient(), waits up to 3 s for the agent's start, and for its reply.
  size_t put(std::vector<AgentPut::Entry> entries);

  /// Gives trace spans (OTLP/JSON) to the agent, which posts them later. Does not wait. Returns false if the
  /// agent does not accept them now.
  bool send_spans(const std::string &json);
  static constexpr size_t max_span_bytes = 128 * 1024; ///< per call: must fit a socket's buffer

  /// Makes all waits longer, for a program that fills the remote store.
  void be_patient();
  /// Time for which the caller should wait for an answer before it starts its own work. `cost`: time of that
  /// work, which a hit would save.
  std::chrono::microseconds patience(std::chrono::microseconds cost) const;

private:
  static constexpr size_t max_idle = 16;
  class Hold;
  bool is_foreign() const { return owner_ != process_token(); } ///< in a forked child
  std::unique_ptr<AgentConnection> send_get(AgentGet &get);
  std::unique_ptr<AgentConnection> take_connection();
  std::unique_ptr<AgentConnection> wait_for_connection();
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
  bool is_marked_ = false; ///< this session has seen or set the mark of a silent agent
  bool has_warned_ = false;
  std::string warning_; ///< pending warning; passed on after the mutex is released
  AgentStarter starter_;
  std::chrono::milliseconds start_wait_{0}; ///< for the agent of starter_
};

} // namespace kiln
