// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule.h"

namespace kiln::lease_test {

static constexpr Micros end_of_time = 600'000'000;

// ---- what happens

void Schedule::draw() {
  // A third of the schedules has no fault, or one kind. The others have several.
  const Micros kind = random(0, 11);
  if (kind >= 2 && kind < 6) faults_ = 1u << random(1, Micros(Fault::Count) - 1);
  if (kind >= 6)
    for (int i = 0; i < 3; i++) faults_ |= 1u << random(1, Micros(Fault::Count) - 1);
  result_.has_faults = faults_ != 0;
  leases_.rate = has(Fault::Drift) ? double(random(95, 105)) / 100 : 1;
  const Micros num_agents = random(1, 5), num_keys = random(1, 3);
  compiles_.resize(size_t(num_keys));
  for (Micros i = 0; i < num_agents; i++)
    agents_.push_back({.table = LeaseTable(rules_, uint64_t(random(0, 1'000'000'000)), true),
                       .rate = has(Fault::Drift) ? double(random(95, 105)) / 100 : 1});
  std::vector<Micros> costs;
  for (Micros i = 0; i < num_keys; i++)
    costs.push_back(random(0, 4) ? random(5'000, 100'000) : random(100'000, 3'000'000));
  const Micros manner = random(0, 2);
  auto arrival = [&](Micros cost) { // all at once, over seconds, or when the first compile ends
    return manner == 0   ? random(0, 2'000)
           : manner == 1 ? random(0, 3'000'000)
                         : random(0, 1) * cost + random(0, 1'500);
  };
  for (size_t agent = 0; agent < agents_.size(); agent++)
    for (Micros i = random(1, 5); i > 0; i--) {
      const size_t key = size_t(random(0, num_keys - 1));
      const Micros cost = costs[key], session_cost = manner == 2 ? cost : cost * random(7, 13) / 10;
      const Micros estimates[] = {0, cost / 10, cost * 10, cost};
      sessions_.push_back({.agent = agent,
                           .key = key,
                           .estimate = estimates[random(0, 1) ? 3 : random(0, 2)] * random(7, 13) / 10,
                           .cost = session_cost});
      const size_t id = sessions_.size() - 1;
      world_.after(arrival(session_cost), [this, id] { ask(id); });
    }
  result_.sessions = unsigned(sessions_.size());
  result_.keys = unsigned(num_keys);
  draw_faults();
}

void Schedule::draw_faults() {
  const Micros span = 3'000'000;
  auto some = [&](Fault fault, Micros max, auto make) {
    if (!has(fault)) return;
    for (Micros i = random(1, max); i > 0; i--) world_.after(random(0, span), make());
  };
  auto one_of = [&](const auto &all) { return size_t(random(0, Micros(all.size()) - 1)); };
  some(Fault::SessionKill, 3, [&] { return [this, id = one_of(sessions_)] { kill_session(id); }; });
  some(Fault::SessionStop, 3, [&] {
    return [this, id = one_of(sessions_), time = random(1'000, 40'000'000)] {
      Session &session = sessions_[id];
      world_.note("session {} stops for {} us", id, time);
      session.stopped_until = std::max(session.stopped_until, world_.now() + time);
      session.stopped += time;
    };
  });
  some(Fault::AgentKill, 2, [&] { return [this, id = one_of(agents_)] { kill_agent(id); }; });
  some(Fault::AgentStop, 2, [&] {
    return [this, id = one_of(agents_), time = random(1'000, 10'000'000)] {
      world_.note("agent {} stops for {} us", id, time);
      agents_[id].stopped_until = std::max(agents_[id].stopped_until, world_.now() + time);
    };
  });
  some(Fault::Partition, 2, [&] {
    return [this, id = one_of(agents_), time = random(10'000, 5'000'000)] {
      world_.note("agent {} is cut off for {} us", id, time);
      agents_[id].cut_off_until = std::max(agents_[id].cut_off_until, world_.now() + time);
    };
  });
  some(Fault::Restart, 2, [&] { return [this] { restart(); }; });
}

// ---- sessions

/// Work of a session happens when it is not stopped.
void Schedule::to_session(size_t id, std::function<void()> work) {
  Session &session = sessions_[id];
  if (session.state == Session::State::Killed) return;
  if (session.stopped_until > world_.now())
    return world_.after(session.stopped_until - world_.now(),
                        [this, id, work = std::move(work)] { to_session(id, work); });
  work();
}

void Schedule::ask(size_t id) {
  Session &session = sessions_[id];
  if (session.state != Session::State::Idle) return;
  world_.note("session {} of agent {} wants key {}", id, session.agent, session.key);
  session.state = Session::State::Waiting;
  session.asked = world_.now();
  session.deadline = world_.now() + patience;
  const auto neighbours = std::count_if(sessions_.begin(), sessions_.end(), [&](const Session &other) {
    return other.agent == session.agent && other.key == session.key;
  });
  const LeaseTime limit = session.estimate && neighbours == 1
                              ? std::clamp(LeaseTime(session.estimate) * rules_.wait_factor, rules_.min_wait,
                                           rules_.max_wait)
                              : rules_.max_wait; // it may wait for a session of its own node
  session.wait_bound = patience + 2 * grace + 2 * rules_.operation_limit.count() + limit.count() * 11 / 10;
  world_.after(patience, [this, id] { on_patience(id); });
  if (!agents_[session.agent].is_alive) return compile(id);
  to_agent(session.agent, [this, id] {
    if (down_until_ > world_.now()) return want(id, false); // the store refuses connections
    get(sessions_[id].agent, sessions_[id].key, [this, id](uint64_t found) {
      if (found)
        to_session(id, [this, id, found] { finish(id, found); });
      else
        want(id, true);
    });
  });
}

void Schedule::want(size_t id, bool in_fleet) {
  Session &session = sessions_[id];
  if (session.state != Session::State::Waiting || std::exchange(session.is_answered, true)) return;
  Agent &agent = agents_[session.agent];
  agent.table.want({.key = key_of(session.key),
                    .session = id + 1,
                    .cost = LeaseTime(session.estimate),
                    .round_trip = LeaseTime(500),
                    .in_fleet = in_fleet},
                   clock(agent));
}

void Schedule::on_patience(size_t id) {
  to_session(id, [this, id] {
    Session &session = sessions_[id];
    if (session.state != Session::State::Waiting) return;
    if (session.deadline > world_.now()) return; // it was told to wait; another event is due
    world_.note("session {} waits no longer", id);
    to_agent(session.agent, [this, id] {
      Agent &agent = agents_[sessions_[id].agent];
      agent.table.release(key_of(sessions_[id].key), id + 1, clock(agent));
    });
    compile(id);
  });
}

void Schedule::compile(size_t id) {
  Session &session = sessions_[id];
  if (session.state != Session::State::Waiting) return;
  const Micros waited = world_.now() - session.asked;
  world_.note("session {} compiles after {} us", id, waited);
  if (waited - session.stopped > session.wait_bound)
    world_.violate("session {} waited for {} us, and its bound is {}", id, waited, session.wait_bound);
  result_.longest_wait = std::max(result_.longest_wait, LeaseTime(waited - session.stopped));
  session.state = Session::State::Compiling;
  compiles_[session.key]++;
  result_.compiles++;
  world_.after(session.cost, [this, id] { to_session(id, [this, id] { on_compiled(id); }); });
}

void Schedule::on_compiled(size_t id) {
  Session &session = sessions_[id];
  const uint64_t code = store_.made[session.key].emplace_back(++last_code_);
  finish(id, code);
  to_agent(session.agent, [this, id, code] {
    const Session &maker = sessions_[id];
    Agent &agent = agents_[maker.agent];
    agent.bytes = code;
    agent.table.publish(key_of(maker.key), clock(agent));
    put(maker.agent, maker.key, code);
  });
}

void Schedule::finish(size_t id, uint64_t code) {
  Session &session = sessions_[id];
  if (session.state != Session::State::Waiting && session.state != Session::State::Compiling) return;
  const auto &made = store_.made[session.key];
  if (std::find(made.begin(), made.end(), code) == made.end())
    world_.violate("session {} has the code {}, which nobody compiled for its key", id, code);
  world_.note("session {} has the code {}", id, code);
  session.state = Session::State::Done;
  session.code = code;
}

void Schedule::kill_session(size_t id) {
  Session &session = sessions_[id];
  if (session.state == Session::State::Done) return;
  world_.note("session {} is killed", id);
  kills_++;
  session.state = Session::State::Killed;
  to_agent(session.agent, [this, id] {
    Agent &agent = agents_[sessions_[id].agent];
    agent.table.release(key_of(sessions_[id].key), id + 1, clock(agent));
  });
}

/// Sessions that go on too early, as waiters and as holders, since their compile takes longer than they say.
size_t Schedule::low_estimates(size_t key) const {
  return size_t(std::count_if(sessions_.begin(), sessions_.end(), [&](const Session &session) {
    return session.key == key && session.estimate && session.estimate < session.cost / 2;
  }));
}

void Schedule::end_checks() {
  for (size_t id = 0; id < sessions_.size(); id++)
    if (sessions_[id].state != Session::State::Killed && sessions_[id].code == 0)
      world_.violate("session {} has no code", id);
  for (size_t id = 0; id < agents_.size(); id++) {
    const LeaseCounters &c = agents_[id].table.counters();
    if (agents_[id].is_alive && agents_[id].table.size() != 0) world_.violate("agent {} keeps a lease", id);
    for (auto member : {&LeaseCounters::granted, &LeaseCounters::waited, &LeaseCounters::taken_over,
                        &LeaseCounters::expired, &LeaseCounters::failed, &LeaseCounters::delivered})
      result_.counters.*member += c.*member;
  }
  if (store_.has_changed) world_.violate("the store had two entries of different bytes for one key");
  const auto has_only = [&](std::initializer_list<Fault> harmless) {
    uint32_t left = faults_;
    for (Fault each : harmless) left &= ~(1u << unsigned(each));
    return left == 0;
  };
  if (has_only({Fault::SessionKill, Fault::Duplicates, Fault::Drift}))
    for (size_t key = 0; key < compiles_.size(); key++)
      if (const size_t low = low_estimates(key); compiles_[key] > 1 + kills_ + 2 * low)
        world_.violate("key {} was compiled {} times, with {} kills and {} estimates that are too low", key,
                       compiles_[key], kills_, low);
  if (has_only({Fault::SessionKill, Fault::SessionStop, Fault::Duplicates, Fault::Reorder, Fault::Drift}) &&
      !leases_.leases.empty())
    world_.violate("the lease server still has a lease");
  size_t low = 0;
  for (size_t key = 0; key < compiles_.size(); key++) low += low_estimates(key);
  if (faults_ == 0 && low == 0 && result_.refused != 0)
    world_.violate("a publisher was refused without a fault");
}

ScheduleResult Schedule::run() {
  draw();
  world_.run(end_of_time);
  end_checks();
  result_.violation = world_.violation();
  result_.events = world_.events();
  return result_;
}

ScheduleResult run_schedule(uint64_t seed, bool shows_events) { return Schedule(seed, shows_events).run(); }

} // namespace kiln::lease_test
