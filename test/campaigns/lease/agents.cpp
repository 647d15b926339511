// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule.h"

namespace kiln::lease_test {

// ---- agents

/// Delivers work to an agent after the delay of a local socket, and when it is not stopped.
void Schedule::to_agent(size_t id, std::function<void()> work) {
  const Agent &agent = agents_[id];
  const Micros delay = std::max(agent.stopped_until - world_.now(), ipc_delay);
  world_.after(delay, [this, id, work = std::move(work)] {
    Agent &receiver = agents_[id];
    if (!receiver.is_alive) return;
    if (receiver.stopped_until > world_.now()) return to_agent(id, work);
    work();
    perform(id);
  });
}

void Schedule::perform(size_t id) {
  Agent &agent = agents_[id];
  for (const LeaseAction &action : agent.table.take_actions()) carry_out(id, action);
  check_agent(id);
  const uint64_t timer = ++agent.timer;
  const std::optional<LeaseTime> next = agent.table.next_time();
  if (!next) return;
  const Micros delay = std::max(Micros(double((*next - clock(agent)).count()) / agent.rate) + 1, Micros(1));
  world_.after(delay, [this, id, timer] {
    if (agents_[id].timer != timer) return;
    to_agent(id, [this, id] { agents_[id].table.on_time(clock(agents_[id])); });
  });
}

void Schedule::carry_out(size_t id, const LeaseAction &action) {
  using Kind = LeaseAction::Kind;
  const size_t session = size_t(action.session - 1);
  switch (action.kind) {
  case Kind::Acquire:
  case Kind::Renew:
  case Kind::Look:
  case Kind::Release: return call(id, action);
  case Kind::Fetch:
    return get(id, size_t(action.key[0]), [this, id, action](uint64_t found) {
      Agent &agent = agents_[id];
      agent.bytes = found;
      agent.table.on_reply(action,
                           {.outcome = found ? LeaseReply::Outcome::Held : LeaseReply::Outcome::Nothing},
                           clock(agent));
    });
  case Kind::Wait:
    return world_.after(ipc_delay, [this, session, time = action.duration.count() + grace] {
      to_session(session, [this, session, time] {
        sessions_[session].deadline = world_.now() + time;
        world_.after(time, [this, session] { on_patience(session); });
      });
    });
  case Kind::Grant:
  case Kind::Compile:
    return world_.after(ipc_delay,
                        [this, session] { to_session(session, [this, session] { compile(session); }); });
  case Kind::Deliver:
    return world_.after(ipc_delay, [this, session, bytes = agents_[id].bytes] {
      to_session(session, [this, session, bytes] {
        Session &receiver = sessions_[session];
        if (receiver.state == Session::State::Waiting) finish(session, bytes);
      });
    });
  }
}

void Schedule::check_agent(size_t id) {
  const Agent &agent = agents_[id];
  const LeaseCounters &c = agent.table.counters();
  if (c.wanted != c.granted + c.delivered + c.compiled + c.left + c.waiting)
    world_.violate("agent {}: the requests of sessions do not add up", id);
  if (c.granted != c.published + c.given_back + c.overdue + c.held)
    world_.violate("agent {}: its grants do not add up", id);
  // The server drops the lease, the next look comes, and its reply takes an operation's limit. Clocks differ.
  const LeaseTime bound =
      (rules_.time_to_live + rules_.max_poll * 5 / 4 + rules_.operation_limit) * 108 / 100;
  for (size_t key = 0; key < compiles_.size(); key++)
    if (const std::optional<LeaseId> watched = agent.table.watched(key_of(key))) {
      const LeaseTime dead(world_.now() - std::max(leases_.last_beats[watched->nonce], agent.stopped_until));
      result_.longest_dead_wait = std::max(result_.longest_dead_wait, dead);
      if (dead > bound)
        world_.violate("agent {} waits for key {} though its lease had no beat for {} us", id, key,
                       dead.count());
    }
}

void Schedule::kill_agent(size_t id) {
  if (!agents_[id].is_alive) return;
  world_.note("agent {} is killed", id);
  agents_[id].is_alive = false;
  for (size_t each = 0; each < sessions_.size(); each++)
    if (sessions_[each].agent == id) to_session(each, [this, each] { compile(each); });
}

// ---- network and servers

/// Carries a message between an agent and a server, in either direction.
void Schedule::transmit(size_t agent, std::function<void()> work) {
  auto once = [&](std::function<void()> each) {
    if (has(Fault::Loss) && random(0, 9) == 0) return;
    const Micros slow = has(Fault::Reorder) && random(0, 4) == 0 ? random(0, 400'000) : 0;
    world_.after(random(50, 200) + slow, [this, agent, each = std::move(each)] {
      if (agents_[agent].cut_off_until > world_.now() || down_until_ > world_.now()) return;
      each();
    });
  };
  if (has(Fault::Duplicates) && random(0, 4) == 0) once(work);
  once(std::move(work));
}

void Schedule::call(size_t agent, const LeaseAction &action) {
  auto answer = [this, agent, action](const LeaseReply &reply) {
    to_agent(agent, [this, agent, action, reply] {
      agents_[agent].table.on_reply(action, reply, clock(agents_[agent]));
    });
  };
  if (down_until_ > world_.now() && action.kind != LeaseAction::Kind::Release) return answer({}); // refused
  transmit(agent, [this, agent, action, answer] {
    transmit(agent, [answer, reply = serve(action)] { answer(reply); });
  });
}

void Schedule::get(size_t agent, size_t key, std::function<void(uint64_t)> done) {
  transmit(agent, [this, agent, key, done = std::move(done)] {
    transmit(agent, [this, agent, done, found = store_.get(key)] {
      to_agent(agent, [done, found] { done(found); });
    });
  });
}

void Schedule::put(size_t agent, size_t key, uint64_t bytes) {
  auto ended = [this, agent, key] {
    to_agent(agent,
             [this, agent, key] { agents_[agent].table.on_stored(key_of(key), clock(agents_[agent])); });
  };
  transmit(agent, [this, agent, key, bytes, ended] {
    if (!store_.put(key, bytes)) result_.refused++;
    transmit(agent, ended);
  });
  world_.after(upload_limit, ended);
}

LeaseReply Schedule::serve(const LeaseAction &action) {
  const LeaseReply reply = leases_.serve(action, world_.now());
  world_.note("the lease server: {} of key {} by {:x}: outcome {}, grant {}:{:x}, beat {}", int(action.kind),
              int(action.key[0]), action.id.nonce, int(reply.outcome), reply.view.id.token,
              reply.view.id.nonce, reply.view.beat);
  return reply;
}

void Schedule::restart() {
  world_.note("the servers restart and forget everything");
  down_until_ = world_.now() + random(0, 300'000);
  leases_.forget();
  store_.forget();
}

} // namespace kiln::lease_test
