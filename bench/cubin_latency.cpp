// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From parsed source to a kernel that is loaded on a GPU, one that no cache has seen each time: Kiln alone,
// then Kiln and NVRTC by turns, NVRTC's cubins loaded through the same functions of the driver. By turns each
// finds the processor's caches full of the other. Needs a GPU (else it is skipped, status 77).
//
//   cubin_latency [--reps N] [--warmup N] [--kernel NAME]
#include "kernels.h"
#include "measure.h"
#include "nvrtc.h"

#include <session/session.h>

using namespace kiln;
using namespace bench;

namespace {

double nanoseconds_of(const Session &session, std::string_view name) {
  double sum = 0;
  for (const TimingRow &row : session.timings().rows)
    if (row.name == name) sum += double(row.nanoseconds);
  return sum;
}

/// All four take part in `whole`.
struct Times {
  Spans whole;
  Series assembler, load, own; ///< microseconds
};

void kiln_once(Session &session, const Device &device, const bench::Kernel &kernel, long number,
               Times *times) {
  CompilerConfig config;
  config.target = device.target();
  config.debug_level = 0;
  std::string text = kernel.julia_source(number), call = kernel.call(number);
  take(session.load(bench::Kernel::entry(number) + ".jl", text));
  double assembled = nanoseconds_of(session, "assemble"), loaded = nanoseconds_of(session, "load");
  Moment start = Moment::now();
  kiln::Kernel prepared = take(session.prepare(call, config, device));
  Moment span = Moment::now() - start;
  if (!times) return;
  times->whole.add(span);
  double assembler = (nanoseconds_of(session, "assemble") - assembled) / 1e3,
         load = (nanoseconds_of(session, "load") - loaded) / 1e3;
  times->assembler.add(assembler);
  times->load.add(load);
  times->own.add(span.wall_us - assembler - load);
}

void nvrtc_once(Session &session, const Device &device, const Nvrtc &nvrtc, const bench::Kernel &kernel,
                long number, Spans *spans) {
  std::string source = kernel.cuda_source(number), name = bench::Kernel::entry(number);
  Moment start = Moment::now();
  auto artifact = std::make_shared<Artifact>();
  artifact->kind = ArtifactKind::Cubin;
  artifact->entry = name;
  artifact->bytes = take(nvrtc.compile_cubin(source, name + ".cu"));
  kiln::Kernel loaded = take(session.load_kernel(std::move(artifact), device));
  if (spans) spans->add(Moment::now() - start);
}

std::tuple<double, double, double> row(const Series &series) {
  return {series.median(), series.percentile(0.1), series.percentile(0.9)};
}

void print(const std::string &name, const Times &times) {
  auto [median, p10, p90] = row(times.whole.wall);
  std::printf("%-16s %9.0f (%7.0f, %7.0f) %11.0f %8.0f %8.0f", name.c_str(), median, p10, p90,
              times.assembler.median(), times.load.median(), times.own.median());
}

} // namespace

int main(int argc, char **argv) {
  const long reps = number_option(argc, argv, "--reps", 200),
             warmup = number_option(argc, argv, "--warmup", 20);
  const std::string only = text_option(argc, argv, "--kernel");
  auto session = take(Session::open({.timings = true, .cache_dir = ""}));
  auto device = session->gpu();
  auto nvrtc = Nvrtc::open();
  if (!device.ok() || !nvrtc.ok()) {
    std::printf("skipped: %s\n",
                (device.ok() ? nvrtc.error() : device.error()).diagnostics().front().message.c_str());
    return 77;
  }
  std::printf("%s; NVRTC %s; medians of %ld new kernels each, microseconds\n", device->info().name.c_str(),
              nvrtc->version().c_str(), reps);
  std::printf(
      "kernel            Kiln (p10, p90)              assembler     load      own    NVRTC (p10, p90)             Kiln / NVRTC\n");
  long number = 1;
  for (const bench::Kernel &kernel : all_kernels()) {
    if (!only.empty() && kernel.name != only) continue;
    Times alone, ours;
    Spans theirs;
    for (long i = -warmup; i < reps; i++)
      kiln_once(*session, *device, kernel, number++, i < 0 ? nullptr : &alone);
    for (long i = -warmup; i < reps; i++) {
      kiln_once(*session, *device, kernel, number++, i < 0 ? nullptr : &ours);
      nvrtc_once(*session, *device, *nvrtc, kernel, number++, i < 0 ? nullptr : &theirs);
    }
    print(kernel.name + " alone", alone);
    std::printf("\n");
    print(kernel.name + " by turns", ours);
    auto [n, n10, n90] = row(theirs.wall);
    std::printf(" %9.0f (%7.0f, %7.0f) %12.3f\n", n, n10, n90, ours.whole.wall.median() / n);
  }
  std::printf("goals for saxpy: Kiln / NVRTC at most 0.4; own at most 1500 in a warm process\n");
  return 0;
}
