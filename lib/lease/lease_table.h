// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "messages.h"

#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace kiln {

/// Leases that the sessions of one agent hold or wait for. A lease is the right to compile an entry, which
/// the fleet's lease server grants to one agent at a time. The agent passes it to one of its sessions. Used
/// by one thread.
///
/// A call may add actions, which the caller takes (take_actions) and carries out in order. Replies may be
/// late, doubled, or missing. The caller passes each reply together with its action.
class LeaseTable {
public:
  /// `has_server`: false if there is no lease server; leases then hold on this node only.
  LeaseTable(LeaseRules rules, uint64_t seed, bool has_server)
      : rules_(rules), random_(seed), has_server_(has_server) {}

  struct Want {
    LeaseKey key{};
    uint64_t session = 0;    ///< unique number of the request; not 0
    LeaseTime cost{0};       ///< of the compile; 0: unknown
    LeaseTime round_trip{0}; ///< to the servers
    bool in_fleet = true;    ///< false: the store fails, so that waiting for other nodes is useless
    std::string label = {};  ///< LeaseView::holder while this session compiles
  };
  /// A session misses an entry.
  void want(const Want &want, LeaseTime now);
  /// Called when the entry of `key` is available, from this agent's session or from another node. All waiting
  /// sessions get it. A grant for the key ends. The lease itself is kept until on_stored().
  void publish(const LeaseKey &key, LeaseTime now);
  /// The upload of a published entry has ended, successfully or not.
  void on_stored(const LeaseKey &key, LeaseTime now);
  /// A session gives its grant back, stops waiting, or has ended.
  void release(const LeaseKey &key, uint64_t session, LeaseTime now);

  void on_reply(const LeaseAction &action, const LeaseReply &reply, LeaseTime now);
  /// Handles timeouts. The caller calls it when next_time() has come.
  void on_time(LeaseTime now);
  std::optional<LeaseTime> next_time() const;
  std::vector<LeaseAction> take_actions() { return std::exchange(actions_, {}); }

  const LeaseCounters &counters() const { return counters_; }
  size_t size() const { return leases_.size(); }
  /// Returns the lease of another agent for which sessions of this agent wait. Empty: they do not wait.
  std::optional<LeaseId> watched(const LeaseKey &key) const;

private:
  enum class State : uint8_t {
    Asking, ///< Acquire is pending
    /// A session will compile unless Fetch finds the entry, which another session may have published.
    Checking,
    Held,     ///< a session compiles
    Storing,  ///< its entry is being uploaded
    Watching, ///< another agent holds the lease; Look is sent later
    Looking,  ///< Look is pending
    Fetching, ///< another agent's lease has ended, and Fetch is pending
    Free,     ///< no compile and no request
  };
  struct Waiter {
    uint64_t session;
    LeaseTime cost;
    LeaseTime node_deadline, deadline; ///< of a wait for this node's holder, and of any other
    LeaseTime told_until{-1};          ///< end of the wait last announced to the session; -1: none was
    std::string label = {};
  };
  struct Lease {
    LeaseKey key;
    State state = State::Asking;
    uint64_t operation = 0; ///< the pending request
    /// Time of the state's next step: timeout of a request, or next Look or Renew.
    LeaseTime due{0};
    std::optional<LeaseId> id = {}; ///< ours; empty: the lease is the node's own
    uint64_t holder = 0;            ///< number of the session that compiles; 0: none
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
