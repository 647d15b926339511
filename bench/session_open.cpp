// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time and memory of a session that opens in a process which already had one.
//
//   session_open [--reps N] [--check]
//
// Memory is what the allocator handed out between open() and the return. --check: exit status 1 if a median
// misses its goal (docs/measurements/first-call.md).
#include "measure.h"

#include <kiln/kiln.h>

#include <malloc.h>

using namespace kiln;
using namespace bench;

namespace {

constexpr double goal_ms = 0.5, goal_mb = 0.8;

double in_use_mb() {
  struct mallinfo2 info = mallinfo2();
  return double(info.uordblks + info.hblkhd) / 1e6;
}

} // namespace

int main(int argc, char **argv) {
  const long reps = number_option(argc, argv, "--reps", 200);
  SessionOptions options;
  options.cache_dir = "";
  Series ms, mb;
  for (long i = -5; i < reps; ++i) {
    const double before = in_use_mb();
    const Moment start = Moment::now();
    auto session = Session::open(options);
    const Moment span = Moment::now() - start;
    if (!session.ok()) return std::fprintf(stderr, "%s\n", std::string(session.error().what()).c_str()), 1;
    if (i < 0) continue;
    ms.add(span.wall_us / 1e3);
    mb.add(in_use_mb() - before);
  }
  std::printf("%-8s %8s %8s %8s %6s\n", "", "median", "p10", "p90", "goal");
  std::printf("%-8s %8.3f %8.3f %8.3f %6.1f\n", "ms", ms.median(), ms.percentile(0.1), ms.percentile(0.9),
              goal_ms);
  std::printf("%-8s %8.3f %8.3f %8.3f %6.1f\n", "MB", mb.median(), mb.percentile(0.1), mb.percentile(0.9),
              goal_mb);
  const bool meets = ms.median() <= goal_ms && mb.median() <= goal_mb;
  return has_option(argc, argv, "--check") && !meets;
}
