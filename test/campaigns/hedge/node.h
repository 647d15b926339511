// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node: its agent, the agent's server, and what processes share on the disk.
#pragma once

#include "../lease/world.h"

#include <agent/breaker.h>
#include <remote/remote.h>

#include <memory>

namespace kiln::hedge_test {

using lease_test::Micros;
using lease_test::World;

enum class Fault : uint8_t {
  None,
  Hung,         ///< the server answers nothing, for seconds to minutes
  Slow50,       ///< it answers after 50 ms
  Slow300,      ///< after 300 ms
  Full,         ///< it takes no entry, so it has none
  Lying,        ///< its answers are no entries
  Restarting,   ///< it is away for up to a second, again and again, and forgets everything
  AgentKilled,  ///< every 2 to 20 s
  AgentStopped, ///< for seconds to minutes
  DiskFull,     ///< as AgentStopped, and sessions can leave no mark
  Count
};
const char *name_of(Fault fault);

enum class Outcome : uint8_t { Found, Absent, Failed };

/// The kernel's side of a session's connection, which outlives both ends.
struct Link {
  struct Letter {
    enum class Kind : uint8_t { Welcome, Answer, Taken } kind;
    uint64_t number = 0;
    Outcome outcome = Outcome::Failed;
    uint32_t patience_us = 0;
  };
  std::vector<Letter> inbox;       ///< of the session
  std::function<void()> on_letter; ///< wakes a session that waits
  bool is_broken = false, is_greeted = false;
};

class Node {
public:
  Node(World &world, Fault fault, bool assembles);

  // ---- what sessions do
  /// Null: nobody listens; an agent is started.
  std::shared_ptr<Link> connect();
  void get(const std::shared_ptr<Link> &link, uint64_t number, bool is_stored);
  void cancel(const std::shared_ptr<Link> &link, uint64_t number);
  void put(const std::shared_ptr<Link> &link);
  // SilenceMark
  std::optional<Micros> mark_age() const;
  void set_mark();
  void remove_mark() { mark_.reset(); }

  Patience::Time time() const {
    return Patience::Time(std::chrono::hours(1000) + std::chrono::microseconds(world_.now()));
  }
  Micros ipc_delay();
  void end() { has_ended_ = true; } ///< no more faults

private:
  struct Agent {
    explicit Agent(uint64_t seed) : health(seed) {}
    ServerHealth health;
    std::vector<std::weak_ptr<Link>> links;
    std::map<std::pair<const Link *, uint64_t>, std::weak_ptr<Link>> open; ///< gets without an answer
  };
  void schedule_fault();
  void kill_agent();
  bool is_sick() const { return sick_until_ > world_.now(); }
  /// Runs work of an agent when it is not stopped; nothing if it was killed.
  void in_agent(Micros delay, std::function<void(Agent &)> work);
  void send(const std::shared_ptr<Link> &link, Link::Letter letter);
  void answer(Agent &agent, const std::shared_ptr<Link> &link, uint64_t number, Outcome outcome);
  uint32_t patience_of(const Agent &agent) const;
  void ask_server(bool is_stored, std::function<void(Outcome)> done);
  Micros server_latency();

  World &world_;
  const Fault fault_;
  const bool assembles_;
  std::shared_ptr<Agent> agent_; ///< null: none runs
  bool is_starting_ = false, has_ended_ = false;
  Micros sick_until_ = 0; ///< server or agent, by fault_
  std::optional<Micros> mark_;
};

} // namespace kiln::hedge_test
