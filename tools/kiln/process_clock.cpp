// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process_clock.h"

#include <algorithm>
#include <ctime>
#include <vector>

namespace kiln::tool {

namespace {

uint64_t began = 0, computed_before = 0; ///< ns: time of main's start; CPU time used before it
std::vector<EarlyStage> early;

uint64_t read_clock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
}

} // namespace

void note_main_began() {
  began = read_clock(CLOCK_MONOTONIC);
  computed_before = read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
uint64_t main_began() { return began; }

void note_before_session(std::string_view stage, uint64_t stage_began) {
  early.push_back({stage, stage_began, read_clock(CLOCK_MONOTONIC)});
}
std::span<const EarlyStage> early_stages() { return early; }

// Estimates the start: main's start less the CPU time used before main, mostly by the dynamic loader. The
// start time in /proc/self/stat is unusable: a shell may `exec` its last command, which keeps the shell's
// start time.
uint64_t process_began() {
  const uint64_t main_time = began ? began : read_clock(CLOCK_MONOTONIC);
  return main_time - std::min(main_time, computed_before);
}

} // namespace kiln::tool
