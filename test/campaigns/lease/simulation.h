// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions, agents, a lease server and a store in virtual time. One seed is one schedule: who asks when, and
// which faults happen.
#pragma once

#include <lease/lease.h>

#include <string>

namespace kiln::lease_test {

struct ScheduleResult {
  std::string violation; ///< of an invariant; empty: all hold
  bool has_faults = false;
  unsigned sessions = 0, keys = 0;
  unsigned compiles = 0; ///< that were started
  unsigned refused = 0;  ///< late publishers whose entry the store did not take
  uint64_t events = 0;
  LeaseCounters counters;         ///< of all agents
  LeaseTime longest_wait{0};      ///< of a session, from its request until its answer
  LeaseTime longest_dead_wait{0}; ///< for a lease whose last beat had reached the server
};

/// The invariants:
/// - each session ends with code, and waits no longer than its bound
/// - the store never holds two entries of different bytes for one key, and each code that a session did not
///   compile is an entry that one session compiled
/// - no agent watches a lease for longer than its bound after the lease's last beat
/// - the laws of LeaseCounters; no lease is left when all sessions have ended
/// - without faults there is one compile for each key, and at most two more for each estimate that is too low
/// - doubled messages and drifting clocks cost no compile, and a killed session at most one
/// - without lost messages and stopped or killed agents, the server has no lease at the end
ScheduleResult run_schedule(uint64_t seed, bool shows_events = false);

} // namespace kiln::lease_test
