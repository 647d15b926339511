// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a call's types to a kernel that is ready on the CPU: code of the first tier beside optimised code, by
// turns. Each repetition has a new kernel, so that no cache contains it.
//
//   first_tier [--reps N] [--warmup N] [--kernel NAME] [--check]
//
// --check: exit status 1 if the first tier takes more processor time than the goal of saxpy.
#include "kernels.h"
#include "measure.h"

#include <kiln/session.h>

using namespace kiln;
using namespace bench;

namespace {

constexpr double goal_us = 3000; // of saxpy
using Tier = SessionOptions::CpuTier;

std::unique_ptr<Session> open(Tier tier) { return take(Session::open({.cpu_tier = tier, .cache_dir = ""})); }

void prepare(Session &session, const bench::Kernel &kernel, long number, Spans *spans) {
  take(session.load(bench::Kernel::entry(number) + ".jl", kernel.julia_source(number)));
  const std::string call = kernel.call(number);
  const Moment start = Moment::now();
  (void)take(session.prepare(call, {}, session.cpu()));
  if (spans) spans->add(Moment::now() - start);
}

/// Prints a kernel's row and returns the first tier's processor time in µs.
double measure(const bench::Kernel &kernel, long reps, long warmup) {
  auto first = open(Tier::First), optimized = open(Tier::Optimized);
  Spans of_first, of_optimized;
  for (long i = -warmup; i < reps; i++) {
    const long number = i + warmup + 1;
    prepare(*first, kernel, number, i < 0 ? nullptr : &of_first);
    prepare(*optimized, kernel, number, i < 0 ? nullptr : &of_optimized);
  }
  const double fast = of_first.cpu.median(), slow = of_optimized.cpu.median();
  std::printf("%-8s %9.0f (%6.0f, %6.0f) %9.0f   %9.0f (%6.0f, %6.0f) %9.0f   %5.1f\n", kernel.name.c_str(),
              fast, of_first.cpu.percentile(0.1), of_first.cpu.percentile(0.9), of_first.wall.median(), slow,
              of_optimized.cpu.percentile(0.1), of_optimized.cpu.percentile(0.9), of_optimized.wall.median(),
              slow / fast);
  return fast;
}

} // namespace

int main(int argc, char **argv) {
  const long reps = number_option(argc, argv, "--reps", 100),
             warmup = number_option(argc, argv, "--warmup", 10);
  const std::string only = text_option(argc, argv, "--kernel");
  std::printf(
      "Kiln (%s build, LLVM %s), %ld repetitions, load average %.1f; processor time in µs, median (p10, p90), "
      "and wall time\n",
      KILN_BUILD, KILN_LLVM_VERSION, reps, load_average());
  std::printf(
      "kernel   first tier (p10, p90)           wall   optimised (p10, p90)            wall   ratio\n");
  bool met = true;
  for (const bench::Kernel &kernel : all_kernels())
    if (only.empty() || only == kernel.name) {
      const double fast = measure(kernel, reps, warmup);
      if (kernel.name == "saxpy") met = fast <= goal_us;
    }
  std::printf("goal for saxpy in the first tier: %.0f µs: %s\n", goal_us, met ? "met" : "missed");
  return met || !has_option(argc, argv, "--check") ? 0 : 1;
}
