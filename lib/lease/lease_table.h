// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "messages.h"

#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace kiln {

/// Leases that one agent's sessions hold or wait for. The agent holds one lease per key, and one session at a
/// time compiles under it. Used by one thread.
///
/// Each call may add actions, which the caller takes and carries out in order. Replies may be late, doubled,
/// or missing. The caller passes each reply together with its action.
class LeaseTable {
public:
  /// `has_server`: false without a lease server. Then leases are the node's own.
  LeaseTable(LeaseRules rules, uint64_t seed, bool has_server)
      : rules_(rules), random_(seed), has_server_(has_server) {}

  struct Want {
    LeaseKey key{};
    uint64_t session = 0;    ///< unique number of this request, not 0
    LeaseTime cost{0};       ///< of the compile; 0: unknown
    LeaseTime round_trip{0}; ///< to the servers
    bool in_fleet = true;    ///< false: the store fails, so only sessions of this node can wait
    std::string label = {};  ///< LeaseView::holder while this session compiles
  };
  /// A session misses an entry.
  void want(const Want &want, LeaseTime now);
  /// An entry is available, from the session with the lease or from another one. Delivers it to all waiters.
  /// Ends a grant; the lease itself stays until on_stored().
  void publish(const LeaseKey &key, LeaseTime now);
  /// The upload of a published entry has ended, with or without success.
  void on_stored(const LeaseKey &key, LeaseTime now);
  /// A session releases its lease, stops waiting, or has ended.
  void release(const LeaseKey &key, uint64_t session, LeaseTime now);

  void on_reply(const LeaseAction &action, const LeaseReply &reply, LeaseTime now);
  /// Handles timeouts. Call it at next_time() or later.
  void on_time(LeaseTime now);
  std::optional<LeaseTime> next_time() const;
  std::vector<LeaseAction> take_actions() { return std::exchange(actions_, {}); }

  const LeaseCounters &counters() const { return counters_; }
  size_t size() const { return leases_.size(); }
  /// The lease of another agent that sessions of this one wait for.
  std::optional<LeaseId> watched(const LeaseKey &key) const;

private:
  enum class State : uint8_t {
    Asking,   ///< Acquire is pending
    Checking, ///< a session compiles next, and Fetch is pending: another one may have published before
    Held,     ///< a session compiles
    Storing,  ///< its entry is being uploaded
    Watching, ///< another agent holds the lease, until the next Look
    Looking,  ///< Look is pending
    Fetching, ///< another lease has ended, and Fetch is pending
    Free,     ///< no compile and no request
  };
  struct Waiter {
    uint64_t session;
    LeaseTime cost;
    LeaseTime node_deadline, deadline; ///< of a wait for this node's holder, and of any other
    LeaseTime told_until{-1};          ///< -1: no Wait was sent to it
    std::string label = {};
  };
  struct Lease {
    LeaseKey key;
    State state = State::Asking;
    uint64_t operation = 0;         ///< the pending request
    LeaseTime due{0};               ///< of the state: the end of a request, the next Look or Renew
    std::optional<LeaseId> id = {}; ///< ours; empty: the lease is the node's own
    uint64_t holder = 0;            ///< the session that compiles; 0: none
    std::string holder_label = {};
    LeaseTime held_until{0}; ///< of Held and Storing
    LeaseView other;         ///< another agent's
    LeaseTime watched_since{0}, beat_seen{0};
    bool has_watched = false;
    std::vector<Waiter> waiters = {};
    LeaseTime alarm{-1}; ///< as in alarms_; -1: none
  };
  using Leases = std::map<LeaseKey, Lease>;

  void act(LeaseAction action) { actions_.push_back(action); }
  void send(Lease &lease, LeaseAction::Kind kind, LeaseTime due, LeaseId id = {});
  void ask(Lease &lease, LeaseTime limit, LeaseTime now);
  void fetch(Lease &lease, State state, LeaseTime now);
  void pass_on(Lease &lease, LeaseTime now);
  void hold_on_node(Lease &lease, LeaseTime now);
  void end_upload(Lease &lease, LeaseTime now);
  void drop_id(Lease &lease);
  void watch(Lease &lease, const LeaseView &view, LeaseTime now);
  void deliver(Lease &lease);
  void tell(Lease &lease, Waiter &waiter, LeaseTime now);
  void give_up_overdue(Lease &lease, LeaseTime now);
  void on_due(Lease &lease, LeaseTime now);
  void on_acquired(Lease &lease, uint64_t nonce, const LeaseReply &reply, LeaseTime now);
  void on_fetched(Lease &lease, const LeaseReply &reply, LeaseTime now);
  void on_looked(Lease &lease, const LeaseReply &reply, LeaseTime now);
  void on_renewed(Lease &lease, const LeaseReply &reply);
  void settle(Lease &lease);
  LeaseTime wait_limit(LeaseTime cost) const;
  static bool is_on_node(const Lease &lease);
  static LeaseTime deadline_of(const Lease &lease, const Waiter &waiter);
  LeaseTime reminder_of(const Lease &lease, const Waiter &waiter) const;

  const LeaseRules rules_;
  std::mt19937_64 random_;
  const bool has_server_;
  LeaseCounters counters_;
  Leases leases_;
  std::set<std::pair<LeaseTime, LeaseKey>> alarms_;
  std::vector<LeaseAction> actions_;
  uint64_t last_operation_ = 0;
};

} // namespace kiln
