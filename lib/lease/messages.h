// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that a lease table and its caller exchange: actions, replies, rules and counters.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace kiln {

using LeaseKey = std::array<std::byte, 32>;
/// A duration, or a time on the caller's steady clock, in microseconds.
using LeaseTime = std::chrono::microseconds;

/// Identifies one grant of a lease. The server raises the token with each grant. The nonce is random, chosen
/// by the agent: it tells grants apart after a server lost its tokens.
struct LeaseId {
  uint64_t token = 0, nonce = 0;
  bool operator==(const LeaseId &) const = default;
};

/// State of a lease at the server. Each renewal increments `beat`.
struct LeaseView {
  LeaseId id;
  uint64_t beat = 0;
  std::string holder = {}; ///< session that compiles, "host:4711", for people; empty: unknown
  bool operator==(const LeaseView &) const = default;
};

/// Reply of the lease server to an operation, or of the store to Fetch.
struct LeaseReply {
  enum class Outcome : uint8_t {
    Failed,  ///< no valid reply
    Nothing, ///< the lease is free, or the store has no entry
    Held,    ///< an agent holds the lease, as `view` shows, or the store has the entry
  };
  Outcome outcome = Outcome::Failed;
  LeaseView view;
};

struct LeaseAction {
  enum class Kind : uint8_t {
    // ---- for the lease server, which replies to all but Release (LeaseTable::on_reply)
    Acquire, ///< take the lease with nonce `id.nonce` for `duration`, if it is free
    Renew,   ///< increment the beat of lease `id`, which then lives for `duration`
    Look,    ///< read the lease
    Release, ///< drop lease `id`; the server does not reply
    // ---- for the store, which replies (LeaseTable::on_reply)
    Fetch, ///< read the entry
    // ---- for a session: each except Wait is the answer to its want()
    Wait,    ///< another answer follows within `duration`
    Grant,   ///< compile, then publish() or release()
    Compile, ///< compile without a lease
    Deliver, ///< use the entry that the running on_reply() or publish() is about
  };
  Kind kind{};
  LeaseKey key{};
  uint64_t operation = 0; ///< number of this request; a reply to an earlier request for the key is ignored
  LeaseId id = {};
  uint64_t session = 0;
  LeaseTime duration{0};
  std::string holder = {}; ///< session that compiles, "host:4711", for messages; empty: unknown
};

struct LeaseRules {
  LeaseTime beat{400'000};           ///< between two renewals
  LeaseTime time_to_live{1'000'000}; ///< the server drops a lease after two missed beats
  LeaseTime operation_limit{250'000};
  /// Minimum time limit of an Acquire; eight round trips if that is longer. After it a session compiles
  /// without a lease of the fleet.
  LeaseTime min_acquire_limit{20'000};
  LeaseTime min_poll{2'000}, max_poll{100'000};
  /// Bounds of a wait for another session; max_wait if the cost is unknown.
  LeaseTime min_wait{200'000}, max_wait{30'000'000};
  /// Minimum time after which a session that still compiles loses its grant.
  LeaseTime min_hold{2'000'000};
  /// Maximum time for which a lease is kept while its entry is uploaded.
  LeaseTime upload_limit{2'000'000};
  /// Maximum wait and grant, as multiples of the compile's cost.
  unsigned wait_factor = 4, hold_factor = 8;
};

/// Counters of a lease table. At any time: wanted = granted + delivered + compiled + left + waiting, and
/// granted = published + given_back + overdue + held.
struct LeaseCounters {
  uint64_t wanted = 0;
  uint64_t granted = 0;   ///< sessions told to compile, under a lease of the fleet or the node
  uint64_t delivered = 0; ///< Deliver answers, with another session's entry
  uint64_t compiled = 0;  ///< Compile answers, without a lease
  uint64_t left = 0;      ///< sessions that left before they got an answer
  uint64_t waiting = 0;   ///< sessions without an answer, now
  uint64_t published = 0, given_back = 0, overdue = 0; ///< how grants ended
  uint64_t held = 0;                                   ///< number of grants that have not ended
  uint64_t waited = 0;                                 ///< sessions that were told to wait
  uint64_t node_only = 0;                              ///< part of `granted`: without a lease of the fleet
  uint64_t taken_over = 0; ///< of `granted`: after another node's lease ended without an entry
  uint64_t expired = 0;    ///< leases of this agent that the server dropped
  uint64_t failed = 0;     ///< operations to which the lease server gave no valid reply
};

} // namespace kiln
