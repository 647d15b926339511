// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads against worker processes: distinct kernels from their calls to cubins (or PTX) by N threads of one
// process, whose work in LLVM and the assembler is done by themselves, or by N worker processes. Definitions
// are loaded before the clock starts; each round begins with an open session whose threads or processes have
// compiled one kernel each.
//
//   workers [--threads N] [--count N] [--rounds N] [--kernel NAME] [--emit asm|cubin] [--program KILN]
#include "kernels.h"
#include "measure.h"

#include <session/session.h>

#include <atomic>
#include <thread>

using namespace kiln;
using namespace bench;

namespace {

struct Round {
  unsigned threads = 1;
  bool processes = false;
  ArtifactKind kind = ArtifactKind::Cubin;
  std::string program;
};

/// Compiles the kernels numbered first ... first + count - 1, each thread the next that nobody has.
void compile_all(Session &session, const bench::Kernel &kernel, long first, long count, const Round &round) {
  CompilerConfig config;
  config.target = PtxOptions();
  config.debug_level = 0;
  std::atomic<long> next{first};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < round.threads; t++)
    threads.emplace_back([&] {
      for (long number; (number = next++) < first + count;)
        take(session.compile(kernel.call(number), config, round.kind));
    });
  for (std::thread &thread : threads) thread.join();
}

/// Kernels a second.
double rate(const bench::Kernel &kernel, long count, const Round &round) {
  SessionOptions options;
  options.cache_dir = "";
  options.artifact_budget = options.inference_budget = size_t(1) << 30;
  options.worker_processes = round.processes ? round.threads : 0;
  options.worker_program = round.program;
  auto session = take(Session::open(options));
  const long warm = 2 * long(round.threads);
  std::string text;
  for (long number = 1; number <= warm + count; number++) {
    text = kernel.julia_source(number);
    take(session->load(bench::Kernel::entry(number) + ".jl", text));
  }
  compile_all(*session, kernel, 1, warm, round);
  const Moment start = Moment::now();
  compile_all(*session, kernel, warm + 1, count, round);
  return double(count) / ((Moment::now() - start).wall_us / 1e6);
}

} // namespace

int main(int argc, char **argv) {
  const long threads = number_option(argc, argv, "--threads", long(std::thread::hardware_concurrency())),
             count = number_option(argc, argv, "--count", 256),
             rounds = number_option(argc, argv, "--rounds", 5);
  const std::string only = text_option(argc, argv, "--kernel"), emit = text_option(argc, argv, "--emit"),
                    program = text_option(argc, argv, "--program");
  Round round{.threads = unsigned(threads),
              .kind = emit == "asm" ? ArtifactKind::Assembly : ArtifactKind::Cubin,
              .program = program};
  std::printf("%ld distinct kernels to %s by %ld threads, kernels/s: median (p10, p90) of %ld rounds\n",
              count, emit == "asm" ? "PTX" : "cubins", threads, rounds);
  std::printf("kernel            threads alone              worker processes           ratio\n");
  for (const bench::Kernel &kernel : all_kernels()) {
    if (!only.empty() && kernel.name != only) continue;
    Series alone, processes;
    for (long i = 0; i < rounds; i++) { // by turns
      round.processes = false;
      alone.add(rate(kernel, count, round));
      round.processes = true;
      processes.add(rate(kernel, count, round));
    }
    std::printf("%-16s %7.0f (%6.0f, %6.0f) %9.0f (%6.0f, %6.0f) %10.2f\n", kernel.name.c_str(),
                alone.median(), alone.percentile(0.1), alone.percentile(0.9), processes.median(),
                processes.percentile(0.1), processes.percentile(0.9), processes.median() / alone.median());
  }
}
