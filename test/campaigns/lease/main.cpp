// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lease_simulator [--seconds N | --count N] [--seed N] [--show]
//
// Runs schedules of consecutive seeds, from a fresh one unless --seed names it. A seed that violates an
// invariant is printed, with the command that shows its events; the exit status is then 1.
#include "simulation.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <random>
#include <string_view>

using namespace kiln;
using namespace kiln::lease_test;

int main(int argc, char **argv) {
  double seconds = 3;
  uint64_t count = 0;
  uint64_t seed = std::random_device()();
  bool shows_events = false;
  for (int i = 1; i < argc; i++) {
    const std::string_view word = argv[i];
    if (word == "--show") {
      shows_events = true;
    } else if (i + 1 < argc && (word == "--seconds" || word == "--count" || word == "--seed")) {
      const uint64_t value = std::strtoull(argv[++i], nullptr, 10);
      if (word == "--seconds") seconds = double(value);
      if (word == "--count") count = value;
      if (word == "--seed") seed = value;
    } else {
      fmt::print(stderr, "usage: {} [--seconds N | --count N] [--seed N] [--show]\n", argv[0]);
      return 2;
    }
  }
  const auto began = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  uint64_t ran = 0, failures = 0, without_faults = 0, sessions = 0, keys = 0, compiles = 0, refused = 0,
           events = 0;
  LeaseCounters sum;
  LeaseTime longest_wait{0}, longest_dead_wait{0};
  for (; count ? ran < count : elapsed() < seconds; ran++) {
    const ScheduleResult result = run_schedule(seed + ran, shows_events);
    if (!result.violation.empty() && ++failures <= 10)
      fmt::print("seed {}: {}\n  {} --seed {} --count 1 --show\n", seed + ran, result.violation, argv[0],
                 seed + ran);
    without_faults += !result.has_faults;
    sessions += result.sessions;
    keys += result.keys;
    compiles += result.compiles;
    refused += result.refused;
    events += result.events;
    sum.granted += result.counters.granted;
    sum.waited += result.counters.waited;
    sum.taken_over += result.counters.taken_over;
    sum.expired += result.counters.expired;
    sum.failed += result.counters.failed;
    longest_wait = std::max(longest_wait, result.longest_wait);
    longest_dead_wait = std::max(longest_dead_wait, result.longest_dead_wait);
  }
  fmt::print("{} schedules from seed {} ({} without faults), {:.0f} a second, {} events\n"
             "{} sessions, {} keys, {} compiles, {} late publishers refused\n"
             "leases: {} granted, {} waited, {} taken over, {} expired, {} operations failed\n"
             "longest wait of a session {:.3f} s, for a lease without a beat {:.3f} s; {} violations\n",
             ran, seed, without_faults, double(ran) / elapsed(), events, sessions, keys, compiles, refused,
             sum.granted, sum.waited, sum.taken_over, sum.expired, sum.failed,
             double(longest_wait.count()) / 1e6, double(longest_dead_wait.count()) / 1e6, failures);
  return failures == 0 ? 0 : 1;
}
