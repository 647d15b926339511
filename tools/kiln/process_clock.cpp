// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process_clock.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>
#include <vector>

namespace kiln::tool {

namespace {

uint64_t began = 0;
std::vector<EarlyStage> early;

uint64_t read_clock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
}

/// Since the process was made, in whole ticks of the system; 0: it does not tell.
uint64_t age_in_ticks() {
  char text[1024];
  std::FILE *file = std::fopen("/proc/self/stat", "re");
  if (!file) return 0;
  const size_t size = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[size] = '\0';
  const char *at = std::strrchr(text, ')'); // the name before it may hold anything
  constexpr int fields_to_start_time = 20;  // proc(5): starttime is field 22, the name field 2
  for (int i = 0; at && i < fields_to_start_time; i++) at = std::strchr(at + 1, ' ');
  const long ticks = ::sysconf(_SC_CLK_TCK);
  if (!at || ticks <= 0) return 0;
  const uint64_t tick = 1'000'000'000 / uint64_t(ticks);
  const uint64_t latest_start = (std::strtoull(at + 1, nullptr, 10) + 1) * tick;
  const uint64_t now = read_clock(CLOCK_BOOTTIME);
  return now - std::min(now, latest_start);
}

} // namespace

void note_main_began() { began = read_clock(CLOCK_MONOTONIC); }
uint64_t main_began() { return began; }

void note_before_session(std::string_view stage, uint64_t stage_began) {
  early.push_back({stage, stage_began, read_clock(CLOCK_MONOTONIC)});
}
std::span<const EarlyStage> early_stages() { return early; }

// Two bounds from below: the time that the process has computed (all of it, unless it waited for a disk), and
// its age in ticks, of which the system has a hundred a second.
uint64_t process_began() {
  const uint64_t now = read_clock(CLOCK_MONOTONIC);
  const uint64_t age = std::max(read_clock(CLOCK_PROCESS_CPUTIME_ID), age_in_ticks());
  return std::min(now - std::min(now, age), began ? began : now);
}

} // namespace kiln::tool
