// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches entries for a session, and handles the leases that it holds or waits for.
#include "client_connection.h"

#include <support/bytes.h>

namespace kiln {

namespace {
constexpr size_t max_fetches = 256; ///< pending; more names wait
/// Minimum time for which an answer is delayed until its next entry (with_next) arrives. The maximum is the
/// server's usual latency.
constexpr std::chrono::microseconds min_next_limit{20'000};
constexpr uint64_t max_cost_us = 3'600'000'000;
} // namespace

// ---- fetches

/// Starts fetches of names that wait. While the client does not read its answers, names keep waiting, and the
/// agent holds fewer bytes.
void ClientConnection::start_fetches() {
  while (!waiting_.empty() && fetches_ < max_fetches && out_bytes_ < max_out) {
    const auto [number, index] = waiting_.front();
    waiting_.pop_front();
    const auto found = gets_.find(number);
    if (found == gets_.end()) continue; // cancelled, or past its deadline
    fetches_++;
    fetch(number, index, found->second.request.names[index], 0, AgentAnswer::Outcome::Absent);
  }
}

/// Fetches a name from the remote with index `remote`, and from the following ones if it lacks the entry.
/// `worst`: the worst outcome of earlier remotes.
void ClientConnection::fetch(uint64_t number, size_t index, const RemoteName &name, size_t remote,
                             AgentAnswer::Outcome worst) {
  auto ended = [self = weak_from_this(), number, index, name, remote, worst](AgentAnswer::Outcome outcome,
                                                                             const SharedBytes &bytes) {
    const auto connection = self.lock();
    if (!connection || connection->state_ == State::Closed) return;
    const AgentAnswer::Outcome sum = outcome == AgentAnswer::Outcome::Found
                                         ? outcome
                                         : std::max(worst, outcome); // Absent < Failed < Refused
    if (sum != AgentAnswer::Outcome::Found && remote + 1 < connection->remotes_.size() &&
        connection->gets_.count(number))
      return connection->fetch(number, index, name, remote + 1, sum);
    if (sum == AgentAnswer::Outcome::Found) return connection->end_fetch(number, index, remote, bytes);
    connection->fetches_--;
    if (connection->remotes_.empty())
      connection->answer(number, index, sum, {});
    else
      connection->want_lease(number, index, name, sum);
    connection->start_fetches();
  };
  if (remotes_.empty())
    loop_.defer([ended] { ended(AgentAnswer::Outcome::Absent, nullptr); });
  else
    remotes_[remote].store->get(name, build_, ended);
}

/// Answers with an entry. Also sends the next entry that this one names (with_next), if it arrives within the
/// server's usual latency.
void ClientConnection::end_fetch(uint64_t number, size_t index, size_t remote, const SharedBytes &bytes) {
  const auto get = gets_.find(number);
  const auto next = get != gets_.end() && !get->second.request.wants_lease ? next_of(*bytes) : std::nullopt;
  if (!next) {
    fetches_--;
    answer(number, index, AgentAnswer::Outcome::Found, *bytes);
    return start_fetches();
  }
  RemoteStore &store = *remotes_[remote].store;
  auto answer_alone = [self = weak_from_this(), number, index, bytes] {
    const auto connection = self.lock();
    if (connection && connection->state_ != State::Closed)
      connection->answer(number, index, AgentAnswer::Outcome::Found, *bytes);
  };
  EventLoop::TimerId timer =
      loop_.after(std::max(min_next_limit, store.expected().value_or(min_next_limit)), answer_alone);
  auto end = [self = weak_from_this(), number, index, bytes, timer](AgentAnswer::Outcome,
                                                                    const SharedBytes &next) mutable {
    const auto connection = self.lock();
    if (!connection || connection->state_ == State::Closed) return;
    connection->loop_.cancel(timer);
    connection->fetches_--;
    const auto get = connection->gets_.find(number);
    if (next && get != connection->gets_.end() && !get->second.is_answered[index])
      connection->send_answer(number, get->second.request.names.size() + index, *next);
    connection->answer(number, index, AgentAnswer::Outcome::Found, *bytes);
    connection->start_fetches();
  };
  store.get(*next, build_, end);
}

/// Value of AgentAnswer::patience_us: the longest usual answer time of the remotes. Remotes with an open
/// breaker do not count, since they fail at once.
uint32_t ClientConnection::patience_us() const {
  std::optional<std::chrono::microseconds> longest;
  for (const SharedRemote &remote : remotes_)
    if (const auto expected = remote.store->expected())
      longest = std::max(*expected, longest.value_or(*expected));
  return longest ? uint32_t(longest->count()) : no_answer_soon;
}

void ClientConnection::answer(uint64_t number, size_t index, AgentAnswer::Outcome outcome,
                              std::string_view bytes) {
  auto found = gets_.find(number);
  if (found == gets_.end()) return; // cancelled, or past its deadline
  Get &get = found->second;
  if (get.is_answered[index]) return;
  get.is_answered[index] = true;
  send_answer(number, index, bytes, outcome);
  if (--get.left == 0) forget(found);
}

void ClientConnection::send_answer(uint64_t number, size_t index, std::string_view bytes,
                                   AgentAnswer::Outcome outcome) {
  send(AgentMessage::Answer, payload_of(AgentAnswer{.number = number,
                                                    .index = uint32_t(index),
                                                    .outcome = outcome,
                                                    .patience_us = patience_us(),
                                                    .bytes = std::string(bytes)}));
}

void ClientConnection::on_deadline(uint64_t number) {
  auto found = gets_.find(number);
  if (found == gets_.end()) return;
  found->second.timer = 0;
  std::vector<bool> is_due = found->second.is_answered;
  is_due.flip();
  for (const auto &[session, lease] : leases_) // names that wait for a lease have a time limit of their own
    if (lease.number == number) is_due[lease.index] = false;
  for (size_t i = 0; i < is_due.size(); i++)
    if (is_due[i]) answer(number, i, AgentAnswer::Outcome::Failed, {});
}

void ClientConnection::forget(Gets::iterator get) {
  loop_.cancel(get->second.timer);
  open_names_ -= get->second.request.names.size();
  gets_.erase(get);
}

// ---- leases

/// Handles a missing entry. If the session would compile it, requests a lease, so that one session of the
/// fleet compiles. Otherwise answers at once.
void ClientConnection::want_lease(uint64_t number, size_t index, const RemoteName &name,
                                  AgentAnswer::Outcome outcome) {
  const auto get = gets_.find(number);
  if (get == gets_.end() || !get->second.request.wants_lease || get->second.is_answered[index] ||
      leases_.size() >= max_names)
    return answer(number, index, outcome, {});
  LeaseHub &hub = *remotes_.front().leases;
  const uint64_t session = hub.next_session();
  leases_[session] = {number, index, name, outcome};
  hub.want({.key = name,
            .session = session,
            .cost = LeaseTime(int64_t(std::min<uint64_t>(get->second.request.cost_us, max_cost_us))),
            .in_fleet = outcome != AgentAnswer::Outcome::Failed,
            .label = label_},
           build_, [self = weak_from_this(), session](const LeaseAction &action, std::string_view bytes) {
             const auto connection = self.lock();
             if (connection && connection->state_ != State::Closed)
               connection->on_lease(session, action, bytes);
           });
}

void ClientConnection::on_lease(uint64_t session, const LeaseAction &action, std::string_view bytes) {
  const auto found = leases_.find(session);
  if (found == leases_.end()) return;
  const Lease lease = found->second;
  if (action.kind == LeaseAction::Kind::Wait)
    return send(AgentMessage::Wait, payload_of(AgentWait{.number = lease.number,
                                                         .index = uint32_t(lease.index),
                                                         .at_most_us = uint64_t(action.duration.count()),
                                                         .holder = action.holder}));
  if (action.kind == LeaseAction::Kind::Grant) {
    found->second.is_granted = true;
    return answer(lease.number, lease.index, AgentAnswer::Outcome::Leased, {});
  }
  leases_.erase(found);
  const bool is_delivered = action.kind == LeaseAction::Kind::Deliver;
  answer(lease.number, lease.index, is_delivered ? AgentAnswer::Outcome::Found : lease.outcome, bytes);
}

/// Releases leases and ends waits.
void ClientConnection::end_leases(const std::function<bool(const Lease &)> &is_ended) {
  std::vector<std::pair<uint64_t, RemoteName>> ended;
  for (const auto &[session, lease] : leases_)
    if (is_ended(lease)) ended.emplace_back(session, lease.name);
  for (const auto &[session, name] : ended) leases_.erase(session);
  for (const auto &[session, name] : ended) remotes_.front().leases->release(name, session);
}

} // namespace kiln
