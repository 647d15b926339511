// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between a lease table and its caller.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace kiln {

using LeaseKey = std::array<std::byte, 32>;
/// A duration, or a time since a fixed moment of the caller's steady clock.
using LeaseTime = std::chrono::microseconds;

/// Identity of one grant. The server raises the token with each grant. The agent draws the nonce, which tells
/// grants apart after a server has forgotten its tokens.
struct LeaseId {
  uint64_t token = 0, nonce = 0;
  bool operator==(const LeaseId &) const = default;
};

/// A lease as the server shows it. Each renewal raises `beat`.
struct LeaseView {
  LeaseId id;
  uint64_t beat = 0;
  std::string holder = {}; ///< session that compiles, "host:4711", for people; empty: unknown
  bool operator==(const LeaseView &) const = default;
};

/// A reply of the lease server, or of the store to Fetch.
struct LeaseReply {
  enum class Outcome : uint8_t {
    Failed,  ///< no valid reply
    Nothing, ///< the lease is free; the store has no entry
    Held,    ///< `view` is the lease after the operation; the store has the entry
  };
  Outcome outcome = Outcome::Failed;
  LeaseView view;
};

struct LeaseAction {
  enum class Kind : uint8_t {
    // For the lease server. Each is answered by LeaseTable::on_reply().
    Acquire, ///< take the lease with `id.nonce` for `duration` if it is free
    Renew,   ///< raise the beat of the lease `id`; it then lives for `duration` from now
    Look,    ///< read the lease
    Release, ///< drop the lease `id`; no reply
    // For the store, answered by LeaseTable::on_reply().
    Fetch, ///< read the entry
    // For a session. Each except Wait is the answer to its want().
    Wait,    ///< another answer follows within `duration`
    Grant,   ///< compile, then publish() or release()
    Compile, ///< compile without a lease
    Deliver, ///< use the entry of the current call of on_reply() or publish()
  };
  Kind kind{};
  LeaseKey key{};
  uint64_t operation = 0; ///< number of the current request for a key, unlike those of earlier ones
  LeaseId id = {};
  uint64_t session = 0;
  LeaseTime duration{0};
  std::string holder = {}; ///< Acquire: for LeaseView::holder. Wait: session that compiles; empty: unknown
};

struct LeaseRules {
  LeaseTime beat{400'000};           ///< between two renewals
  LeaseTime time_to_live{1'000'000}; ///< at the server: it ends after two missed beats
  LeaseTime operation_limit{250'000};
  LeaseTime min_acquire_limit{20'000}; ///< for eight round trips; then a session goes on without the fleet
  LeaseTime min_poll{2'000}, max_poll{100'000};
  LeaseTime min_wait{200'000}, max_wait{30'000'000}; ///< for a compile; max_wait if its cost is unknown
  LeaseTime min_hold{2'000'000};                     ///< a session that compiles for longer loses its grant
  LeaseTime upload_limit{2'000'000};                 ///< then the lease ends before the upload
  unsigned wait_factor = 4, hold_factor = 8;         ///< times the cost of the compile
};

/// Laws, at any time: wanted = granted + delivered + compiled + left + waiting, and
/// granted = published + given_back + overdue + held.
struct LeaseCounters {
  uint64_t wanted = 0;
  uint64_t granted = 0;   ///< Grant answers, with a lease of the fleet or of the node
  uint64_t delivered = 0; ///< Deliver answers, with another session's entry
  uint64_t compiled = 0;  ///< Compile answers, without a lease
  uint64_t left = 0;      ///< sessions that left before their answer
  uint64_t waiting = 0;   ///< sessions without an answer, now
  uint64_t published = 0, given_back = 0, overdue = 0; ///< how grants ended
  uint64_t held = 0;                                   ///< grants that have not ended, now
  uint64_t waited = 0;                                 ///< sessions that were sent a Wait
  uint64_t node_only = 0;                              ///< of `granted`: without a lease of the fleet
  uint64_t taken_over = 0; ///< of `granted`: after another node's lease ended without an entry
  uint64_t expired = 0;    ///< leases that the server took away from this agent
  uint64_t failed = 0;     ///< operations without a proper reply of the lease server
};

} // namespace kiln
