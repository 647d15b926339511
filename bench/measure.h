// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the benchmarks share: two clocks, order statistics, command-line numbers, the machine's load.
#pragma once

#include <kiln/result.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace bench {

/// A moment, or a span between two: what passed on the wall, and what this process computed (all threads). On
/// a busy machine the second tells the program's own cost.
struct Moment {
  double wall_us = 0, cpu_us = 0;
  static Moment now() { return {read(CLOCK_MONOTONIC), read(CLOCK_PROCESS_CPUTIME_ID)}; }
  Moment operator-(const Moment &earlier) const {
    return {wall_us - earlier.wall_us, cpu_us - earlier.cpu_us};
  }

private:
  static double read(clockid_t clock) {
    timespec t;
    clock_gettime(clock, &t);
    return double(t.tv_sec) * 1e6 + double(t.tv_nsec) / 1e3;
  }
};

class Series {
public:
  void add(double value) { values_.push_back(value); }
  bool empty() const { return values_.empty(); }
  /// The value below which `share` of all lie; 0 if there are none.
  double percentile(double share) const {
    if (values_.empty()) return 0;
    std::vector<double> sorted = values_;
    auto at = sorted.begin() + std::ptrdiff_t(share * double(sorted.size() - 1) + 0.5);
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
  }
  double median() const { return percentile(0.5); }

private:
  std::vector<double> values_;
};

/// Repeated spans of one thing.
struct Spans {
  Series wall, cpu;
  void add(const Moment &span) {
    wall.add(span.wall_us);
    cpu.add(span.cpu_us);
  }
};

/// `--name N` on the command line, or `otherwise`.
inline long number_option(int argc, char **argv, const char *name, long otherwise) {
  for (int i = 1; i + 1 < argc; i++)
    if (std::strcmp(argv[i], name) == 0) return std::strtol(argv[i + 1], nullptr, 10);
  return otherwise;
}
inline std::string text_option(int argc, char **argv, const char *name) {
  for (int i = 1; i + 1 < argc; i++)
    if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
  return {};
}
inline bool has_option(int argc, char **argv, const char *name) {
  for (int i = 1; i < argc; i++)
    if (std::strcmp(argv[i], name) == 0) return true;
  return false;
}

/// The machine's load average of the last minute, -1 where unknown.
inline double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

[[noreturn]] inline void give_up(const kiln::Error &error) {
  std::fputs(error.what().c_str(), stderr);
  std::exit(int(error.kind()));
}
template <class T> T take(kiln::Result<T> result) {
  if (!result.ok()) give_up(result.error());
  return std::move(result).value();
}

} // namespace bench
