// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First launches of a node in virtual time, beside a server, an agent or a disk that is sick. The breaker,
// the expected latency (ServerHealth) and the rule of waiting (Patience) are the product's; server, agent,
// network and compile are models.
#pragma once

#include "node.h"

namespace kiln::hedge_test {

/// Ratios to the same launches without a remote, of launches that compiled: a hit is faster anyway.
struct Ratios {
  double median = 0, p99 = 0;
  uint64_t launches = 0, hits = 0, events = 0;
  Micros longest_delay = 0; ///< beside the same launch without a remote
};
/// Launches compile for 6 to 20 ms; with `assembles`, for 0.5 to 5 s more.
Ratios run_launches(Fault fault, bool assembles, uint64_t count, uint64_t seed);

} // namespace kiln::hedge_test
