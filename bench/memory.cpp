// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session holds in memory after many distinct kernels.
//
//   memory [--kernels N] [--kernel NAME] [--redefine] [--cpu] [--budget BYTES]
//
// Every kernel is a function of its own, compiled to PTX, or with --cpu compiled and loaded there; --redefine
// gives all of them one name, so that each replaces the one before; --budget is that of each cache. Resident
// memory is what /proc/self/statm says; "in use" is what the allocator has handed out.
#include "kernels.h"
#include "measure.h"

#include <kiln/kiln.h>

#include <malloc.h>
#include <unistd.h>

using namespace kiln;
using namespace bench;

namespace {

double resident_mb() {
  long pages = 0, resident = 0;
  if (std::FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / 1e6;
}

double in_use_mb() {
  struct mallinfo2 info = mallinfo2();
  return double(info.uordblks + info.hblkhd) / 1e6;
}

} // namespace

int main(int argc, char **argv) {
  long count = number_option(argc, argv, "--kernels", 2000);
  bool redefine = has_option(argc, argv, "--redefine"), cpu = has_option(argc, argv, "--cpu");
  std::string name = text_option(argc, argv, "--kernel");
  if (name.empty()) name = "saxpy";
  auto kernels = all_kernels();
  auto kernel =
      std::find_if(kernels.begin(), kernels.end(), [&](const bench::Kernel &k) { return k.name == name; });
  if (kernel == kernels.end()) return std::fprintf(stderr, "memory: no kernel %s\n", name.c_str()), 2;

  std::printf("%s for %s, %s, %s build\n%10s %14s %12s\n", name.c_str(), cpu ? "the CPU" : "ptx",
              redefine ? "one name redefined" : "distinct names", KILN_BUILD, "kernels", "resident MB",
              "in use MB");
  auto report = [](long n) { std::printf("%10ld %14.1f %12.1f\n", n, resident_mb(), in_use_mb()); };
  report(-1); // before the session is opened
  SessionOptions options;
  options.cache_dir = ""; // what compiling takes, not reading
  options.inference_budget = options.artifact_budget =
      size_t(number_option(argc, argv, "--budget", long(options.artifact_budget)));
  auto session = take(Session::open(options));
  CompilerConfig config;
  if (!cpu) config.target = PtxOptions();
  double at_half = 0, used_at_half = 0;
  report(0);
  for (long i = 1; i <= count; i++) {
    std::string text = kernel->julia_source(i), call = kernel->call(i);
    if (redefine) {
      std::string from = bench::Kernel::entry(i) + "(", to = "k(";
      text.replace(text.find(from), from.size(), to);
      call.replace(call.find(from), from.size(), to);
    }
    take(session->load(bench::Kernel::entry(i) + ".jl", text));
    if (cpu)
      take(session->prepare(call, config));
    else
      take(session->compile(call, config, ArtifactKind::Assembly));
    if (i == count / 2) at_half = resident_mb(), used_at_half = in_use_mb();
    if (i == 1 || i == 10 || i == 100 || i == 1000 || i == 2000 || i == 5000 ||
        i % std::max<long>(count / 8, 1) == 0)
      report(i);
  }
  long half = count - count / 2;
  std::printf("second half: %.2f kB a kernel resident, %.2f kB in use\n",
              (resident_mb() - at_half) * 1e3 / double(half),
              (in_use_mb() - used_at_half) * 1e3 / double(half));
  auto counters = session->counters();
  std::printf("compiled %lu, hits %lu, inferred %lu\n", (unsigned long)counters.compiled,
              (unsigned long)counters.hits, (unsigned long)counters.inferred);
  std::printf("kept: artifacts %.2f MB, typed code %.2f MB; dropped: %lu artifacts, %lu code instances\n",
              double(counters.artifact_bytes) / 1e6, double(counters.inference_bytes) / 1e6,
              (unsigned long)counters.artifacts_evicted, (unsigned long)counters.inferred_dropped);
  return 0;
}
