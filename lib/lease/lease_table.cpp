// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lease_table.h"

#include <algorithm>

namespace kiln {

using Kind = LeaseAction::Kind;
using Outcome = LeaseReply::Outcome;

LeaseTime LeaseTable::wait_limit(LeaseTime cost) const {
  if (cost.count() == 0) return rules_.max_wait;
  return std::clamp(cost * rules_.wait_factor, rules_.min_wait, rules_.max_wait);
}

std::optional<LeaseId> LeaseTable::watched(const LeaseKey &key) const {
  const auto found = leases_.find(key);
  if (found == leases_.end()) return std::nullopt;
  const State state = found->second.state;
  if (state != State::Watching && state != State::Looking) return std::nullopt;
  return found->second.other.id;
}

// ---- sessions

void LeaseTable::want(const Want &want, LeaseTime now) {
  counters_.wanted++;
  const auto there = leases_.find(want.key);
  const bool is_stuck = !want.in_fleet && there != leases_.end() && there->second.state == State::Storing;
  const LeaseTime cost = std::min(want.cost, rules_.max_wait);
  if (is_stuck || (cost.count() > 0 && cost <= want.round_trip)) {
    counters_.compiled++;
    return act({.kind = Kind::Compile, .key = want.key, .session = want.session});
  }
  const auto [found, is_new] = leases_.try_emplace(want.key, Lease{.key = want.key});
  Lease &lease = found->second;
  counters_.waiting++;
  lease.waiters.push_back({.session = want.session,
                           .cost = cost,
                           .node_deadline = now + rules_.max_wait,
                           .deadline = now + wait_limit(cost),
                           .label = want.label});
  if (!is_new) {
    tell(lease, lease.waiters.back(), now);
  } else if (has_server_ && want.in_fleet) {
    const LeaseTime limit = std::clamp(want.round_trip * 8, rules_.min_acquire_limit, rules_.operation_limit);
    act({.kind = Kind::Wait,
         .key = want.key,
         .session = want.session,
         .duration = limit + rules_.operation_limit});
    ask(lease, limit, now);
  } else {
    hold_on_node(lease, now);
  }
  settle(lease);
}

void LeaseTable::publish(const LeaseKey &key, LeaseTime now) {
  const auto found = leases_.find(key);
  if (found == leases_.end()) return;
  Lease &lease = found->second;
  deliver(lease);
  if (lease.state == State::Held) {
    counters_.published++;
    counters_.held--;
    lease.holder = 0;
    lease.state = State::Storing;
    lease.held_until = now + rules_.upload_limit;
    if (!lease.id) lease.due = lease.held_until;
  }
  settle(lease);
}

void LeaseTable::on_stored(const LeaseKey &key, LeaseTime now) {
  const auto found = leases_.find(key);
  if (found == leases_.end()) return;
  if (found->second.state == State::Storing) end_upload(found->second, now);
  settle(found->second);
}

void LeaseTable::release(const LeaseKey &key, uint64_t session, LeaseTime now) {
  const auto found = leases_.find(key);
  if (found == leases_.end()) return;
  Lease &lease = found->second;
  if (lease.state == State::Held && lease.holder == session) {
    counters_.given_back++;
    counters_.held--;
    pass_on(lease, now);
  } else {
    const auto gone = std::erase_if(lease.waiters, [&](const Waiter &w) { return w.session == session; });
    counters_.left += gone;
    counters_.waiting -= gone;
  }
  settle(lease);
}

/// Tells all waiting sessions to use the entry, which is available now.
void LeaseTable::deliver(Lease &lease) {
  for (const Waiter &waiter : std::exchange(lease.waiters, {})) {
    counters_.delivered++;
    counters_.waiting--;
    act({.kind = Kind::Deliver, .key = lease.key, .session = waiter.session});
  }
}

/// Sends a waiting session the message that another session compiles, and repeats it from time to time. A
/// session thus notices when its agent stops.
void LeaseTable::tell(Lease &lease, Waiter &waiter, LeaseTime now) {
  const bool is_new = waiter.told_until.count() < 0;
  if (!is_new && now < reminder_of(lease, waiter)) return;
  counters_.waited += is_new;
  waiter.told_until = std::clamp(deadline_of(lease, waiter), now, now + rules_.time_to_live);
  const bool is_elsewhere = lease.state == State::Watching || lease.state == State::Looking;
  act({.kind = Kind::Wait,
       .key = lease.key,
       .session = waiter.session,
       .duration = waiter.told_until - now,
       .holder = is_elsewhere ? lease.other.holder : lease.holder_label});
}

LeaseTime LeaseTable::reminder_of(const Lease &lease, const Waiter &waiter) const {
  const bool knows_all = waiter.told_until.count() < 0 || waiter.told_until >= deadline_of(lease, waiter);
  if (knows_all) return LeaseTime::max();
  return std::max(waiter.told_until - rules_.time_to_live + rules_.beat, LeaseTime(0));
}

/// Returns true if a session of this node compiles, or will compile next.
bool LeaseTable::is_on_node(const Lease &lease) {
  return lease.state == State::Held || lease.state == State::Checking;
}

LeaseTime LeaseTable::deadline_of(const Lease &lease, const Waiter &waiter) {
  return is_on_node(lease) ? waiter.node_deadline : waiter.deadline;
}

/// Ends the wait of sessions past their deadline. If another node compiles, one session of this node gets the
/// compile, and the others wait for it. If this node compiles already, the overdue sessions compile, too.
void LeaseTable::give_up_overdue(Lease &lease, LeaseTime now) {
  const auto is_overdue = [&](const Waiter &waiter) { return deadline_of(lease, waiter) <= now; };
  if (std::none_of(lease.waiters.begin(), lease.waiters.end(), is_overdue)) return;
  if (!is_on_node(lease) && lease.state != State::Storing) return hold_on_node(lease, now);
  const auto count = std::erase_if(lease.waiters, [&](const Waiter &waiter) {
    if (!is_overdue(waiter)) return false;
    act({.kind = Kind::Compile, .key = lease.key, .session = waiter.session});
    return true;
  });
  counters_.compiled += count;
  counters_.waiting -= count;
}

// ---- the lease

void LeaseTable::send(Lease &lease, Kind kind, LeaseTime due, LeaseId id) {
  lease.due = due;
  lease.operation = ++last_operation_;
  act({.kind = kind,
       .key = lease.key,
       .operation = lease.operation,
       .id = id,
       .duration = rules_.time_to_live,
       .holder = kind == Kind::Acquire && !lease.waiters.empty() ? lease.waiters.front().label : ""});
}

void LeaseTable::ask(Lease &lease, LeaseTime limit, LeaseTime now) {
  lease.state = State::Asking;
  send(lease, Kind::Acquire, now + limit, {.token = 0, .nonce = random_()});
}

void LeaseTable::fetch(Lease &lease, State state, LeaseTime now) {
  lease.state = state;
  send(lease, Kind::Fetch, now + rules_.operation_limit);
}

void LeaseTable::drop_id(Lease &lease) {
  if (lease.id) act({.kind = Kind::Release, .key = lease.key, .id = *lease.id});
  lease.id.reset();
}

/// Grants the compile to the session that waits longest, under the fleet's lease if this agent holds one.
void LeaseTable::pass_on(Lease &lease, LeaseTime now) {
  lease.operation = 0;
  lease.holder = 0;
  lease.state = State::Free;
  if (lease.waiters.empty()) return;
  const Waiter next = lease.waiters.front();
  lease.waiters.erase(lease.waiters.begin());
  lease.state = State::Held;
  lease.holder = next.session;
  lease.holder_label = next.label;
  lease.held_until =
      now + (next.cost.count() ? std::max(next.cost * rules_.hold_factor, rules_.min_hold) : rules_.max_wait);
  lease.due = lease.id ? std::min(now + rules_.beat, lease.held_until) : lease.held_until;
  counters_.waiting--;
  counters_.held++;
  counters_.granted++;
  counters_.node_only += !lease.id;
  counters_.taken_over += lease.id && lease.has_watched;
  lease.has_watched = false;
  act({.kind = Kind::Grant, .key = lease.key, .session = next.session});
  for (Waiter &waiter : lease.waiters) tell(lease, waiter, now);
}

/// Grants the compile without a lease of the fleet, because the lease server failed or is too slow. Only
/// sessions of this node then wait for each other.
void LeaseTable::hold_on_node(Lease &lease, LeaseTime now) {
  lease.id.reset();
  pass_on(lease, now);
}

/// Releases the lease after an upload. Sessions that came during the upload now fetch the entry, or compile
/// if it is missing.
void LeaseTable::end_upload(Lease &lease, LeaseTime now) {
  drop_id(lease);
  lease.state = State::Free;
  if (lease.waiters.empty()) return;
  fetch(lease, has_server_ ? State::Fetching : State::Checking, now);
}

/// Waits for the agent that holds the lease. Looks at the lease again after an eighth of the time waited so
/// far.
void LeaseTable::watch(Lease &lease, const LeaseView &view, LeaseTime now) {
  if (!lease.has_watched || lease.other.id != view.id) lease.watched_since = now;
  if (!lease.has_watched || lease.other != view) lease.beat_seen = now;
  lease.has_watched = true;
  lease.other = view;
  // The holder stopped renewing, and the server should have dropped the lease already.
  if (now - lease.beat_seen >= rules_.time_to_live * 2) return hold_on_node(lease, now);
  const LeaseTime pause = std::clamp((now - lease.watched_since) / 8, rules_.min_poll, rules_.max_poll);
  lease.state = State::Watching;
  lease.due = now + pause * 3 / 4 + LeaseTime(random_() % uint64_t(pause.count() / 2 + 1));
  for (Waiter &waiter : lease.waiters) tell(lease, waiter, now);
}

// ---- replies

void LeaseTable::on_reply(const LeaseAction &action, const LeaseReply &reply, LeaseTime now) {
  const auto found = leases_.find(action.key);
  Lease *lease = found == leases_.end() ? nullptr : &found->second;
  if (!lease || action.operation == 0 || lease->operation != action.operation) {
    // Release a lease that the server granted too late: no session waits for it any more.
    const LeaseId &id = reply.view.id;
    if (action.kind == Kind::Acquire && reply.outcome == Outcome::Held && id.nonce == action.id.nonce &&
        !(lease && lease->id == id))
      act({.kind = Kind::Release, .key = action.key, .id = id});
    return;
  }
  lease->operation = 0;
  if (reply.outcome == Outcome::Failed && action.kind != Kind::Fetch) counters_.failed++;
  switch (action.kind) {
  case Kind::Acquire: on_acquired(*lease, action.id.nonce, reply, now); break;
  case Kind::Fetch: on_fetched(*lease, reply, now); break;
  case Kind::Look: on_looked(*lease, reply, now); break;
  case Kind::Renew: on_renewed(*lease, reply); break;
  default: break;
  }
  settle(*lease);
}

void LeaseTable::on_acquired(Lease &lease, uint64_t nonce, const LeaseReply &reply, LeaseTime now) {
  if (reply.outcome != Outcome::Held) return hold_on_node(lease, now);
  if (reply.view.id.nonce != nonce) return watch(lease, reply.view, now);
  lease.id = reply.view.id;
  fetch(lease, State::Checking, now);
}

void LeaseTable::on_fetched(Lease &lease, const LeaseReply &reply, LeaseTime now) {
  if (reply.outcome == Outcome::Held) {
    deliver(lease);
    drop_id(lease);
    lease.state = State::Free;
  } else if (lease.state == State::Checking) {
    pass_on(lease, now);
  } else {
    ask(lease, rules_.operation_limit, now);
  }
}

void LeaseTable::on_looked(Lease &lease, const LeaseReply &reply, LeaseTime now) {
  switch (reply.outcome) {
  case Outcome::Failed: return hold_on_node(lease, now);
  case Outcome::Nothing: return fetch(lease, State::Fetching, now);
  case Outcome::Held: return watch(lease, reply.view, now);
  }
}

void LeaseTable::on_renewed(Lease &lease, const LeaseReply &reply) {
  if (reply.outcome == Outcome::Failed) return; // the next beat tries again
  if (reply.outcome == Outcome::Held && reply.view.id == lease.id) return;
  counters_.expired++;
  lease.id.reset();
  lease.due = lease.held_until;
}

// ---- time

void LeaseTable::on_due(Lease &lease, LeaseTime now) {
  switch (lease.state) {
  case State::Asking:
  case State::Looking: counters_.failed++; return hold_on_node(lease, now);
  case State::Checking: return pass_on(lease, now);
  case State::Fetching: return ask(lease, rules_.operation_limit, now);
  case State::Watching:
    lease.state = State::Looking;
    return send(lease, Kind::Look, now + rules_.operation_limit);
  case State::Held:
  case State::Storing: break;
  case State::Free: return;
  }
  if (now < lease.held_until)
    return send(lease, Kind::Renew, std::min(now + rules_.beat, lease.held_until), *lease.id);
  if (lease.state == State::Storing) return end_upload(lease, now);
  counters_.overdue++;
  counters_.held--;
  lease.holder = 0;
  if (lease.waiters.empty()) return pass_on(lease, now);
  fetch(lease, State::Checking, now); // another node may have published the entry meanwhile
}

void LeaseTable::on_time(LeaseTime now) {
  while (!alarms_.empty() && alarms_.begin()->first <= now) {
    Lease &lease = leases_.at(alarms_.begin()->second);
    give_up_overdue(lease, now);
    for (Waiter &waiter : lease.waiters)
      if (waiter.told_until.count() >= 0) tell(lease, waiter, now);
    if (lease.due <= now) on_due(lease, now);
    settle(lease);
  }
}

std::optional<LeaseTime> LeaseTable::next_time() const {
  if (alarms_.empty()) return std::nullopt;
  return alarms_.begin()->first;
}

/// Called after each change of a lease: sets the time of its next timeout, or drops it if nobody needs it.
void LeaseTable::settle(Lease &lease) {
  if (lease.alarm.count() >= 0) alarms_.erase({lease.alarm, lease.key});
  const bool is_held = lease.state == State::Held || lease.state == State::Storing;
  if (lease.waiters.empty() && !is_held) {
    drop_id(lease);
    leases_.erase(LeaseKey(lease.key));
    return;
  }
  lease.alarm = lease.due;
  for (const Waiter &waiter : lease.waiters)
    lease.alarm = std::min({lease.alarm, deadline_of(lease, waiter), reminder_of(lease, waiter)});
  alarms_.insert({lease.alarm, lease.key});
}

} // namespace kiln
