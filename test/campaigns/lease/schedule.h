// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One schedule: its sessions (simulation.cpp), and its agents and their network (agents.cpp).
#pragma once

#include "simulation.h"
#include "world.h"

namespace kiln::lease_test {

inline constexpr Micros patience = 50'000, grace = 50'000, ipc_delay = 50, upload_limit = 2'000'000;

enum class Fault : uint8_t {
  None,
  SessionKill,
  SessionStop,
  AgentKill,
  AgentStop,
  Partition,
  Loss,
  Duplicates,
  Reorder,
  Drift,
  Restart,
  Count
};

struct Session {
  enum class State : uint8_t { Idle, Waiting, Compiling, Done, Killed };
  size_t agent, key;
  Micros estimate, cost; ///< what it tells, and what the compile takes
  State state = State::Idle;
  Micros asked = 0, stopped = 0; ///< stopped: in all, while it waited
  Micros deadline = 0, stopped_until = 0;
  Micros wait_bound = 0;
  bool is_answered = false; ///< its get: a doubled reply comes twice
  uint64_t code = 0;
};

struct Agent {
  LeaseTable table;
  double rate; ///< of its clock
  bool is_alive = true;
  Micros stopped_until = 0, cut_off_until = 0;
  uint64_t timer = 0; ///< tells the timer from earlier ones
  uint64_t bytes = 0; ///< that Deliver is about
};

class Schedule {
public:
  Schedule(uint64_t seed, bool shows_events) : world_(seed, shows_events) {}
  ScheduleResult run();

private:
  bool has(Fault fault) const { return faults_ & 1u << unsigned(fault); }
  Micros random(Micros first, Micros last) { return world_.random(first, last); }
  void draw();
  void draw_faults();
  // sessions
  void ask(size_t id);
  void want(size_t id, bool in_fleet);
  void on_patience(size_t id);
  void compile(size_t id);
  void on_compiled(size_t id);
  void finish(size_t id, uint64_t code);
  void kill_session(size_t id);
  void to_session(size_t id, std::function<void()> work);
  // agents
  LeaseTime clock(const Agent &agent) const { return LeaseTime(Micros(double(world_.now()) * agent.rate)); }
  void to_agent(size_t id, std::function<void()> work);
  void perform(size_t id);
  void carry_out(size_t id, const LeaseAction &action);
  void check_agent(size_t id);
  void kill_agent(size_t id);
  // network and servers
  void transmit(size_t agent, std::function<void()> work);
  void call(size_t agent, const LeaseAction &action);
  void get(size_t agent, size_t key, std::function<void(uint64_t)> done);
  void put(size_t agent, size_t key, uint64_t bytes);
  LeaseReply serve(const LeaseAction &action);
  void restart();
  size_t low_estimates(size_t key) const;
  void end_checks();

  static LeaseKey key_of(size_t key) { return {std::byte(key)}; }
  World world_;
  uint32_t faults_ = 0;
  const LeaseRules rules_;
  std::vector<Agent> agents_;
  std::vector<Session> sessions_;
  std::vector<unsigned> compiles_; ///< by key
  unsigned kills_ = 0;
  LeaseServerModel leases_;
  StoreModel store_;
  Micros down_until_ = 0;
  uint64_t last_code_ = 0;
  ScheduleResult result_;
};

} // namespace kiln::lease_test
