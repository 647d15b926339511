// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node.h"

namespace kiln::hedge_test {

static constexpr Micros ms = 1'000, second = 1'000'000;

const char *name_of(Fault fault) {
  switch (fault) {
  case Fault::None: return "healthy";
  case Fault::Hung: return "server hung";
  case Fault::Slow50: return "server slow, 50 ms";
  case Fault::Slow300: return "server slow, 300 ms";
  case Fault::Full: return "server full";
  case Fault::Lying: return "server lying";
  case Fault::Restarting: return "server restarting";
  case Fault::AgentKilled: return "agent killed";
  case Fault::AgentStopped: return "agent stopped";
  case Fault::DiskFull: return "disk full, agent stopped";
  case Fault::Count: break;
  }
  return "";
}

Node::Node(World &world, Fault fault, bool assembles) : world_(world), fault_(fault), assembles_(assembles) {
  agent_ = std::make_shared<Agent>(uint64_t(world.random(0, 1'000'000'000)));
  schedule_fault();
}

// ---- faults

/// Sick times and healthy ones take turns.
void Node::schedule_fault() {
  if (has_ended_) return;
  const Micros scale = assembles_ ? 20 : 1; // launches that assemble are that much rarer
  Micros healthy = world_.random(5, 60) * second, sick = world_.random(1, 120) * second;
  if (fault_ == Fault::AgentKilled) healthy = world_.random(2, 20) * second, sick = 0;
  if (fault_ == Fault::Restarting)
    healthy = world_.random(1'000, 5'000) * ms, sick = world_.random(100, 1'000) * ms;
  world_.after(healthy * scale, [this, sick, scale] {
    if (has_ended_) return;
    sick_until_ = world_.now() + sick * scale;
    if (fault_ == Fault::AgentKilled) kill_agent();
    world_.after(sick * scale, [this] { schedule_fault(); });
  });
}

void Node::kill_agent() {
  if (!agent_) return;
  for (const auto &each : agent_->links)
    if (const auto link = each.lock()) {
      link->is_broken = true;
      world_.after(ipc_delay(), [link] {
        if (const auto wake = link->on_letter) wake();
      });
    }
  agent_.reset();
}

// ---- sessions

/// Some processes have to wait for a core.
Micros Node::ipc_delay() { return world_.random(0, 99) ? world_.random(40, 120) : world_.random(200, 2'000); }

std::shared_ptr<Link> Node::connect() {
  if (agent_) {
    auto link = std::make_shared<Link>();
    agent_->links.push_back(link);
    in_agent(ipc_delay(), [this, link](Agent &agent) {
      send(link, {.kind = Link::Letter::Kind::Welcome, .patience_us = patience_of(agent)});
    });
    return link;
  }
  if (!std::exchange(is_starting_, true))
    world_.after(world_.random(8, 20) * ms, [this] {
      is_starting_ = false;
      agent_ = std::make_shared<Agent>(uint64_t(world_.random(0, 1'000'000'000)));
    });
  return nullptr;
}

void Node::get(const std::shared_ptr<Link> &link, uint64_t number, bool is_stored) {
  in_agent(ipc_delay(), [this, link, number, is_stored](Agent &agent) {
    agent.open[{link.get(), number}] = link;
    const auto pass = agent.health.breaker().request(time());
    if (pass == CircuitBreaker::Pass::Refused) return answer(agent, link, number, Outcome::Failed);
    const auto began = time();
    ask_server(is_stored, [this, link, number, pass, began](Outcome outcome) {
      in_agent(0, [this, link, number, pass, began, outcome](Agent &asking) {
        if (outcome != Outcome::Failed) asking.health.add_latency(time() - began);
        asking.health.breaker().record(pass, outcome != Outcome::Failed, time());
        answer(asking, link, number, outcome);
      });
    });
  });
}

void Node::cancel(const std::shared_ptr<Link> &link, uint64_t number) {
  in_agent(ipc_delay(), [this, link, number](Agent &agent) { answer(agent, link, number, Outcome::Failed); });
}

void Node::put(const std::shared_ptr<Link> &link) {
  in_agent(ipc_delay(), [this, link](Agent &agent) {
    send(link, {.kind = Link::Letter::Kind::Taken});
    const auto pass = agent.health.breaker().request(time(), CircuitBreaker::Pass::Untimed);
    if (pass == CircuitBreaker::Pass::Refused) return;
    ask_server(false, [this, pass](Outcome outcome) {
      in_agent(0, [this, pass, outcome](Agent &asking) {
        const bool is_kept = outcome != Outcome::Failed && fault_ != Fault::Full;
        asking.health.breaker().record(pass, is_kept, time());
      });
    });
  });
}

std::optional<Micros> Node::mark_age() const {
  if (!mark_ || world_.now() - *mark_ > 60 * second) return std::nullopt;
  return world_.now() - *mark_;
}

void Node::set_mark() {
  if (fault_ != Fault::DiskFull && !mark_age()) mark_ = world_.now();
}

// ---- the agent

void Node::in_agent(Micros delay, std::function<void(Agent &)> work) {
  const bool can_stop = fault_ == Fault::AgentStopped || fault_ == Fault::DiskFull;
  world_.after(delay, [this, can_stop, work = std::move(work), agent = std::weak_ptr<Agent>(agent_)] {
    const auto living = agent.lock();
    if (!living) return;
    if (can_stop && is_sick()) return in_agent(sick_until_ - world_.now(), work);
    work(*living);
  });
}

void Node::send(const std::shared_ptr<Link> &link, Link::Letter letter) {
  world_.after(ipc_delay(), [link, letter] {
    link->inbox.push_back(letter);
    if (const auto wake = link->on_letter) wake(); // a copy: it may replace itself
  });
}

void Node::answer(Agent &agent, const std::shared_ptr<Link> &link, uint64_t number, Outcome outcome) {
  if (agent.open.erase({link.get(), number}))
    send(link, {.kind = Link::Letter::Kind::Answer,
                .number = number,
                .outcome = outcome,
                .patience_us = patience_of(agent)});
}

uint32_t Node::patience_of(const Agent &agent) const {
  const auto expected = agent.health.expected(time());
  return expected ? uint32_t(expected->count()) : no_answer_soon;
}

// ---- the server

Micros Node::server_latency() {
  return world_.random(0, 99) ? world_.random(100, 500) : world_.random(1'000, 5'000);
}

void Node::ask_server(bool is_stored, std::function<void(Outcome)> done) {
  Micros latency = server_latency();
  Outcome outcome = is_stored ? Outcome::Found : Outcome::Absent;
  if (fault_ == Fault::Full || fault_ == Fault::Restarting) outcome = Outcome::Absent;
  if (is_sick()) switch (fault_) {
    case Fault::Hung: { // until it goes on, or the agent's deadline
      constexpr Micros deadline = std::chrono::microseconds(Patience::answer_limit).count();
      latency += sick_until_ - world_.now();
      if (latency > deadline) outcome = Outcome::Failed;
      latency = std::min(latency, deadline);
      break;
    }
    case Fault::Slow50: latency += 50 * ms; break;
    case Fault::Slow300: latency += 300 * ms; break;
    case Fault::Lying:
    case Fault::Restarting: outcome = Outcome::Failed; break;
    default: break;
    }
  world_.after(latency, [done = std::move(done), outcome] { done(outcome); });
}

} // namespace kiln::hedge_test
