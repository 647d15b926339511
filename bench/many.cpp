// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many kernels that no cache has seen, from parsed source to kernels that are loaded on a GPU: Kiln's
// prepare_many, and NVRTC with as many threads, in each arrangement of kernels in sources that might be its
// best; by turns. Then the way to PTX on one thread and on all. Session, workers and libraries are warm.
// Needs a GPU (else it is skipped, status 77; KILN_CUDA_DRIVER may name one that only answers).
//
//   many [--threads N] [--rounds N] [--most N] [--workers N] [--only ptx|cubins] [--kernel NAME]
//
// `--only ptx` needs no GPU.
#include "kernels.h"
#include "measure.h"
#include "nvrtc.h"

#include <session/session.h>

#include <atomic>
#include <thread>

#include <sys/resource.h>

using namespace kiln;
using namespace bench;

namespace {

std::unique_ptr<Session> open(unsigned threads, unsigned workers = 0) {
  SessionOptions options;
  options.cache_dir = "";
  options.compile_threads = threads;
  options.worker_processes = workers;
  return take(Session::open(options));
}

/// Requests for kernels that nobody has compiled, defined in the session.
std::vector<CompileRequest> requests_for(Session &session, const bench::Kernel &kernel, long count,
                                         long &number, const CompilerConfig &config) {
  std::vector<CompileRequest> requests;
  std::string text;
  for (long i = 0; i < count; i++, number++) {
    text += kernel.julia_source(number) + "\n";
    requests.push_back({.call = kernel.call(number), .config = config});
  }
  take(session.load("many.jl", text));
  return requests;
}

double kiln_ms(Session &session, const Device &device, const bench::Kernel &kernel, long count,
               long &number) {
  CompilerConfig config;
  config.target = device.target();
  config.debug_level = 0;
  const auto requests = requests_for(session, kernel, count, number, config);
  const Moment start = Moment::now();
  auto kernels = session.prepare_many(requests, device);
  const double ms = (Moment::now() - start).wall_us / 1e3;
  for (auto &each : kernels) take(std::move(each));
  return ms;
}

/// `group` kernels in each source.
double nvrtc_ms(Session &session, const Device &device, const Nvrtc &nvrtc, const bench::Kernel &kernel,
                long count, long group, unsigned threads, long &number) {
  std::vector<std::string> sources;
  std::vector<std::vector<std::string>> names;
  for (long i = 0; i < count; i++, number++) {
    if (i % group == 0) {
      sources.emplace_back();
      names.emplace_back();
    }
    std::string source = kernel.cuda_source(number) + "\n";
    if (const size_t type = source.find("struct Vector"); i % group && type != source.npos)
      source.erase(type, source.find('\n', type) - type); // the source has it
    sources.back() += source;
    names.back().push_back(bench::Kernel::entry(number));
  }
  std::atomic<size_t> next{0};
  std::vector<std::vector<kiln::Kernel>> loaded(sources.size());
  auto work = [&] {
    for (size_t at; (at = next.fetch_add(1)) < sources.size();) {
      const std::string cubin = take(nvrtc.compile_cubin(sources[at], names[at][0] + ".cu"));
      auto object = std::make_shared<Artifact>();
      object->kind = ArtifactKind::Cubin;
      object->bytes = cubin;
      object->entry = names[at][0];
      for (const std::string &name : names[at]) {
        auto each = std::make_shared<Artifact>();
        each->kind = ArtifactKind::Cubin;
        each->entry = name;
        each->merged = object;
        loaded[at].push_back(take(session.load_kernel(std::move(each), device)));
      }
    }
  };
  const Moment start = Moment::now();
  std::vector<std::thread> all;
  for (unsigned i = 1; i < threads; i++) all.emplace_back(work);
  work();
  for (std::thread &each : all) each.join();
  return (Moment::now() - start).wall_us / 1e3;
}

/// What compiling to PTX took, a kernel: kernels/s, CPU time of all threads, how often a thread gave its core
/// up to wait or to another one.
struct PtxRound {
  double milliseconds = 0, cpu_us = 0, waits = 0;
};

PtxRound ptx_round(Session &session, const bench::Kernel &kernel, long count, long &number) {
  CompilerConfig config;
  config.target = PtxOptions();
  config.debug_level = 0;
  auto requests = requests_for(session, kernel, count, number, config);
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  const Moment start = Moment::now();
  auto texts = session.compile_many(requests);
  const Moment took = Moment::now() - start;
  ::getrusage(RUSAGE_SELF, &after);
  for (auto &each : texts) take(std::move(each));
  return {took.wall_us / 1e3, took.cpu_us / double(count),
          double(after.ru_nvcsw - before.ru_nvcsw) / double(count)};
}

void to_ptx(unsigned threads, long rounds, const std::string &only, long &number) {
  std::printf(
      "\nto PTX, kernels/s        1 thread   %u threads   ratio | a kernel: CPU us on 1, on %u threads; waits\n",
      threads, threads);
  for (const bench::Kernel &kernel : all_kernels()) {
    if (!only.empty() && kernel.name != only) continue;
    auto single = open(1), all = open(threads);
    const long count = 256;
    ptx_round(*single, kernel, 8, number);
    ptx_round(*all, kernel, 8 * threads, number);
    Series one, many, one_cpu, many_cpu, waits;
    for (long round = 0; round < rounds; round++) {
      const PtxRound alone = ptx_round(*single, kernel, count, number),
                     together = ptx_round(*all, kernel, 4 * count, number);
      one.add(alone.milliseconds), one_cpu.add(alone.cpu_us);
      many.add(together.milliseconds), many_cpu.add(together.cpu_us), waits.add(together.waits);
    }
    const double slow = 1e3 * double(count) / one.median(), fast = 4e3 * double(count) / many.median();
    std::printf("%-20s %12.0f %12.0f %8.1f  | %8.0f %8.0f %8.2f\n", kernel.name.c_str(), slow, fast,
                fast / slow, one_cpu.median(), many_cpu.median(), waits.median());
    std::fflush(stdout);
  }
}

} // namespace

int main(int argc, char **argv) {
  const unsigned threads =
      unsigned(number_option(argc, argv, "--threads", long(std::thread::hardware_concurrency())));
  const long rounds = number_option(argc, argv, "--rounds", 7),
             most = number_option(argc, argv, "--most", 512),
             workers = number_option(argc, argv, "--workers", 0);
  const std::string what = text_option(argc, argv, "--only"), only = text_option(argc, argv, "--kernel");
  long number = 1;
  if (what == "ptx") {
    to_ptx(threads, rounds, only, number);
    return 0;
  }
  auto session = open(threads, unsigned(workers));
  auto device = session->gpu();
  auto nvrtc = Nvrtc::open();
  if (!device.ok()) {
    std::printf("skipped: %s\n", device.error().diagnostics().front().message.c_str());
    return 77;
  }
  std::printf("%s; %u threads, %ld worker processes; NVRTC %s; medians of %ld rounds; load average %.1f\n",
              device->info().name.c_str(), threads, workers, nvrtc.ok() ? nvrtc->version().c_str() : "none",
              rounds, load_average());
  std::printf(
      "to loaded cubins      Kiln: ms  kernels/s  calls of the assembler | NVRTC, kernels a source: kernels/s\n");
  for (const bench::Kernel &kernel : all_kernels()) {
    if (kernel.name == "empty" || (!only.empty() && kernel.name != only)) continue;
    kiln_ms(*session, *device, kernel, threads, number); // warm
    for (long count : {64L, 512L}) {
      if (count > most) continue;
      std::vector<long> groups;
      for (long group : {1L, 4L, 16L, count / std::max(1L, long(threads))})
        if (group > 0 && std::find(groups.begin(), groups.end(), group) == groups.end())
          groups.push_back(group);
      Series ours;
      std::vector<Series> theirs(groups.size());
      uint64_t calls = 0;
      for (long round = 0; round < rounds; round++) {
        const uint64_t before = session->counters().assembled;
        ours.add(kiln_ms(*session, *device, kernel, count, number));
        calls = session->counters().assembled - before;
        for (size_t g = 0; nvrtc.ok() && g < groups.size(); g++)
          if (round < 3)
            theirs[g].add(nvrtc_ms(*session, *device, *nvrtc, kernel, count, groups[g], threads, number));
      }
      std::printf("%-6s %4ld  %14.1f (%.1f to %.1f) %8.0f %6lu       |", kernel.name.c_str(), count,
                  ours.median(), ours.percentile(0), ours.percentile(1), 1e3 * double(count) / ours.median(),
                  (unsigned long)calls);
      for (size_t g = 0; nvrtc.ok() && g < groups.size(); g++)
        std::printf("  %ld: %.0f", groups[g], 1e3 * double(count) / theirs[g].median());
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  if (what != "cubins") to_ptx(threads, rounds, only, number);
  return 0;
}
