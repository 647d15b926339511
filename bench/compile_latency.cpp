// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From parsed source to PTX, a kernel that no cache has seen each time, beside NVRTC on equal CUDA C.
//
//   compile_latency [--reps N] [--warmup N] [--kernel NAME] [--debug 0|1] [--opt 0..3] [--no-nvrtc] [--spirv]
//                   [--check]
//
// With --check, the exit status is 1 if a kernel misses its goal: processor time of NVRTC / that of Kiln, by
// turns.
// With --spirv the code is SPIR-V, without a comparison; the rows then say PTX all the same.
// Three passes for each kernel: Kiln by itself; Kiln and NVRTC by turns (the ratio comes from here: both see
// the same noise); Kiln with its timer on, for the split by stage.
#include "kernels.h"
#include "measure.h"
#include "nvrtc.h"

#include <session/session.h>

#include <optional>

using namespace kiln;
using namespace bench;

namespace {

struct Options {
  long reps, warmup, debug, opt;
  bool spirv;
  CompilerConfig config() const {
    CompilerConfig config;
    config.target = spirv ? TargetSpec(SpirvOptions()) : TargetSpec(PtxOptions());
    config.debug_level = int(debug);
    config.opt_level = int(opt);
    return config;
  }
};

struct Measured {
  Spans load, compile;
  size_t bytes = 0;
};

/// Numbers the kernels of the whole run, so that no two are equal.
struct Counter {
  long next = 1;
};

void compile_once(Session &session, const bench::Kernel &kernel, const Options &options, long number,
                  Measured *measured) {
  std::string text = kernel.julia_source(number), call = kernel.call(number),
              file = bench::Kernel::entry(number) + ".jl";
  CompilerConfig config = options.config();
  Moment start = Moment::now();
  take(session.load(file, text));
  Moment parsed = Moment::now();
  auto artifact = take(session.compile(call, config, ArtifactKind::Assembly));
  Moment end = Moment::now();
  if (!measured) return;
  measured->load.add(parsed - start);
  measured->compile.add(end - parsed);
  measured->bytes = artifact->bytes.size();
}

void print_row(const char *what, const Spans &spans) {
  std::printf("  %-34s %9.1f %9.1f %9.1f   %9.1f\n", what, spans.wall.median(), spans.wall.percentile(0.1),
              spans.wall.percentile(0.9), spans.cpu.median());
}

// ---- the split by stage

struct StageRow {
  std::string name;
  int depth;
  Series microseconds;
};

using Snapshot = std::vector<TimingRow>;

// What each stage took between two reports of one timer, by path; rows are only ever added.
void add_difference(std::vector<StageRow> &rows, const Snapshot &before, const Snapshot &after) {
  auto paths = [](const Snapshot &snapshot) {
    std::vector<std::string> result, open;
    for (const TimingRow &row : snapshot) {
      open.resize(size_t(row.depth));
      open.push_back(row.name);
      std::string path;
      for (const std::string &part : open) path += "/" + part;
      result.push_back(path);
    }
    return result;
  };
  std::vector<std::string> old_paths = paths(before), new_paths = paths(after);
  for (size_t i = 0; i < after.size(); i++) {
    if (after[i].depth == 0 && after[i].name == "untimed") continue;
    auto old = std::find(old_paths.begin(), old_paths.end(), new_paths[i]);
    uint64_t earlier = old == old_paths.end() ? 0 : before[size_t(old - old_paths.begin())].nanoseconds;
    auto row =
        std::find_if(rows.begin(), rows.end(), [&](const StageRow &r) { return r.name == new_paths[i]; });
    if (row == rows.end()) row = rows.insert(row, StageRow{new_paths[i], after[i].depth, {}});
    row->microseconds.add(double(after[i].nanoseconds - earlier) / 1e3);
  }
}

void split_by_stage(const bench::Kernel &kernel, const Options &options, Counter &counter) {
  auto session = take(Session::open({.timings = true, .cache_dir = ""}));
  for (long i = 0; i < options.warmup; i++) compile_once(*session, kernel, options, counter.next++, nullptr);
  std::vector<StageRow> loading, compiling;
  Series job_time, whole, timed;
  for (long i = 0; i < options.reps; i++) {
    long number = counter.next++;
    std::string text = kernel.julia_source(number), call = kernel.call(number),
                file = bench::Kernel::entry(number) + ".jl";
    CompilerConfig config = options.config();
    Snapshot at_start = session->timings().rows;
    take(session->load(file, text));
    Snapshot at_load = session->timings().rows;
    Moment start = Moment::now();
    CompilerJob job = take(jobs_of(*session).job(call, config));
    Moment found = Moment::now();
    take(jobs_of(*session).compile(job, ArtifactKind::Assembly));
    Moment end = Moment::now();
    Snapshot at_end = session->timings().rows;
    add_difference(loading, at_start, at_load);
    add_difference(compiling, at_load, at_end);
    job_time.add((found - start).wall_us);
    whole.add((end - start).wall_us);
    double sum = 0;
    for (const TimingRow &row : at_end)
      if (row.depth == 0 && row.name != "untimed" && row.name != "front-end") {
        sum += double(row.nanoseconds) / 1e3;
        for (const TimingRow &old : at_load)
          if (old.depth == 0 && old.name == row.name) sum -= double(old.nanoseconds) / 1e3;
      }
    timed.add((end - found).wall_us - sum);
  }
  auto print = [&](const std::vector<StageRow> &rows) {
    for (const StageRow &row : rows) {
      if (row.microseconds.percentile(0.9) == 0) continue;
      std::string name = std::string(size_t(2 * row.depth), ' ') + row.name.substr(row.name.rfind('/') + 1);
      double share = 100 * row.microseconds.median() / whole.median();
      std::printf("    %-34s %9.1f %9.1f %9.1f   %5.1f %%\n", name.c_str(), row.microseconds.median(),
                  row.microseconds.percentile(0.1), row.microseconds.percentile(0.9), share);
    }
  };
  std::printf(
      "  split by stage, us                     median       p10       p90    share of call -> PTX\n");
  std::printf("   before the measured part (load):\n");
  print(loading);
  std::printf("   call -> PTX:\n");
  std::printf("    %-34s %9.1f %9.1f %9.1f   %5.1f %%\n", "call -> job", job_time.median(),
              job_time.percentile(0.1), job_time.percentile(0.9), 100 * job_time.median() / whole.median());
  print(compiling);
  std::printf("    %-34s %9.1f %9.1f %9.1f   %5.1f %%\n", "no stage", timed.median(), timed.percentile(0.1),
              timed.percentile(0.9), 100 * timed.median() / whole.median());
  std::printf("    %-34s %9.1f %9.1f %9.1f\n", "whole", whole.median(), whole.percentile(0.1),
              whole.percentile(0.9));
}

/// Goal for NVRTC's time / Kiln's time.
double goal_of(const bench::Kernel &kernel) {
  return kernel.name == "empty" ? 35 : kernel.name == "saxpy" ? 14 : 12;
}

/// Returns false if NVRTC was measured and the kernel misses its goal.
bool measure(const bench::Kernel &kernel, const Options &options, const std::optional<Nvrtc> &nvrtc,
             Counter &counter) {
  auto session = take(Session::open({.cache_dir = ""}));
  for (long i = 0; i < options.warmup; i++) compile_once(*session, kernel, options, counter.next++, nullptr);
  Measured alone, by_turns;
  Spans nvrtc_spans;
  size_t nvrtc_bytes = 0;
  for (long i = 0; i < options.reps; i++) compile_once(*session, kernel, options, counter.next++, &alone);
  for (long i = 0; nvrtc && i < options.reps; i++) {
    long number = counter.next++;
    compile_once(*session, kernel, options, number, &by_turns);
    std::string source = kernel.cuda_source(number);
    Moment start = Moment::now();
    nvrtc_bytes =
        take(nvrtc->compile(source, bench::Kernel::entry(number) + ".cu", options.debug > 0)).size();
    Moment end = Moment::now();
    nvrtc_spans.add(end - start);
  }

  bool meets_goal = true;
  std::printf("\n%s, us                                  median       p10       p90    cpu median\n",
              kernel.name.c_str());
  print_row("load (parse, lower)", alone.load);
  print_row("parsed source -> PTX", alone.compile);
  if (nvrtc) {
    print_row("by turns: load", by_turns.load);
    print_row("by turns: parsed source -> PTX", by_turns.compile);
    print_row("by turns: NVRTC, CUDA C -> PTX", nvrtc_spans);
    double ours = by_turns.compile.wall.median(), text = by_turns.load.wall.median();
    const double ratio = nvrtc_spans.cpu.median() / by_turns.compile.cpu.median();
    meets_goal = ratio >= goal_of(kernel);
    std::printf("  NVRTC / Kiln: %.1f (wall), %.1f (cpu, goal %.0f); with Kiln's load counted: %.1f (wall)\n",
                nvrtc_spans.wall.median() / ours, ratio, goal_of(kernel),
                nvrtc_spans.wall.median() / (ours + text));
  }
  std::printf("  PTX: %zu bytes", alone.bytes);
  std::printf(nvrtc ? ", NVRTC's %zu bytes\n" : "\n", nvrtc_bytes);
  split_by_stage(kernel, options, counter);
  return meets_goal;
}

} // namespace

int main(int argc, char **argv) {
  // A driver's own disk cache would answer for NVRTC's tools; nothing here may come from a cache.
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  Options options{number_option(argc, argv, "--reps", 200), number_option(argc, argv, "--warmup", 20),
                  number_option(argc, argv, "--debug", 0), number_option(argc, argv, "--opt", 2),
                  has_option(argc, argv, "--spirv")};
  std::string only = text_option(argc, argv, "--kernel");
  std::optional<Nvrtc> nvrtc;
  std::printf("Kiln (%s build, LLVM %s), %s, -O%ld, -g%ld, %ld repetitions after %ld, load average %.1f\n",
              KILN_BUILD, KILN_LLVM_VERSION, options.spirv ? "SPIR-V 1.2" : "sm_90", options.opt,
              options.debug, options.reps, options.warmup, load_average());
  if (!has_option(argc, argv, "--no-nvrtc") && !options.spirv) {
    auto opened = Nvrtc::open();
    if (opened.ok()) {
      nvrtc.emplace(std::move(opened).value());
      std::printf("NVRTC %s: %s\n", nvrtc->version().c_str(), nvrtc->path().c_str());
      bench::Kernel kernel = all_kernels()[0];
      for (long i = 0; i < 3; i++)
        (void)take(nvrtc->compile(kernel.cuda_source(1000000 + i), "warm-up.cu",
                                  options.debug > 0)); // its first use loads more
    } else {
      std::printf("SKIPPED: the comparison with NVRTC: %s\n", opened.error().what().c_str());
    }
  }
  Counter counter;
  bool all_meet = true;
  for (const bench::Kernel &kernel : all_kernels())
    if (only.empty() || only == kernel.name) all_meet = measure(kernel, options, nvrtc, counter) && all_meet;
  std::printf("\nload average %.1f at the end\n", load_average());
  return all_meet || !has_option(argc, argv, "--check") ? 0 : 1;
}
