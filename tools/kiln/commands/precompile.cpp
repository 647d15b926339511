// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln precompile: compiles the jobs of a manifest or trace into the cache folder, and launches nothing.
#include "../command.h"
#include "../job_failures.h"
#include "../json_object.h"
#include "../output.h"
#include "../precompile_report.h"
#include "../progress_line.h"
#include "../time_left.h"
#include "../with_session.h"

#include <kiln/cache.h>
#include <kiln/precompile.h>
#include <support/count.h>
#include <support/read_number.h>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <thread>

namespace kiln::tool {

namespace {

struct PrecompileArguments {
  CommonOptions common;
  std::string list, shard, archs, queue;
  uint32_t threads = 0, queue_limit = 0; ///< number of threads; seconds per job of a queue; 0: the default
  bool dry_run = false, no_merge = false, json = false;
};

/// Parses I/N, auto or auto/N.
Result<Shard> shard_from(const std::string &text) {
  Shard shard;
  if (text.empty()) return shard;
  if (text == "auto") return shard_of_rank();
  if (const std::string_view auto_of = "auto/"; text.starts_with(auto_of)) {
    const auto count = read_number<unsigned>(std::string_view(text).substr(auto_of.size()));
    if (!count || !*count)
      return usage_error(fmt::format("--shard auto/N takes the number of processes, not `{}`", text));
    return shard_of_rank(*count);
  }
  const char *begin = text.data(), *end = begin + text.size();
  auto [middle, first] = std::from_chars(begin, end, shard.index);
  auto [last, second] = middle < end && *middle == '/'
                            ? std::from_chars(middle + 1, end, shard.count)
                            : std::from_chars_result{middle, std::errc::invalid_argument};
  if (first != std::errc() || second != std::errc() || last != end || shard.index < 1 ||
      shard.index > shard.count)
    return usage_error(fmt::format(
        "--shard takes I/N, such as 2/8: the second of eight, or auto or auto/N, not `{}`", text));
  return shard;
}

/// Text of the progress line.
std::string progress_text(const PrecompileProgress &p, std::optional<double> seconds_left) {
  std::string text = fmt::format("{} of {} jobs, {} were there, {} failed", p.done, p.jobs, p.hits, p.failed);
  if (p.elsewhere) text += fmt::format(", {} by other workers", p.elsewhere);
  if (p.returned) text += fmt::format(", {} taken over", p.returned);
  if (seconds_left)
    text += fmt::format(", about {}:{:02} left", int(*seconds_left) / 60, int(*seconds_left) % 60);
  return text;
}

/// Handler of Ctrl-C for its lifetime. The first Ctrl-C lets running jobs finish and starts no more. The
/// second Ctrl-C ends the process.
class StopOnInterrupt {
public:
  StopOnInterrupt() {
    source() = &stop_;
    struct sigaction action{};
    action.sa_handler = [](int) { source()->request_stop(); };
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    ::sigaction(SIGINT, &action, &before_);
  }
  ~StopOnInterrupt() { ::sigaction(SIGINT, &before_, nullptr); }
  StopOnInterrupt(const StopOnInterrupt &) = delete;
  StopOnInterrupt &operator=(const StopOnInterrupt &) = delete;
  const StopSource &stop() const { return stop_; }

private:
  static const StopSource *&source() {
    static const StopSource *source = nullptr;
    return source;
  }
  const StopSource stop_;
  struct sigaction before_{};
};

Result<PrecompileList> read_list(const std::string &path, Timer *timer) {
  StageScope scope(timer, Stage::ReadFiles);
  return read_job_list(path);
}

/// Error: Machine, if the folder lacks entries that were made.
Result<void> check_kept(const PrecompileReport &report, const std::string &folder) {
  if (!report.missing) return {};
  return machine_error(fmt::format("the folder {} lacks {} of {} that were made", folder,
                                   counted(report.missing, "entry", "entries"),
                                   counted(report.made, "artifact")),
                       "the disk is full, or the folder's budget is too small (KILN_CACHE_SIZE, in MiB)");
}

Result<void> precompile(const PrecompileArguments &command) {
  const CommonOptions &common = command.common;
  KILN_CHECK(common.check());
  KILN_TRY(Shard shard, shard_from(command.shard));
  if (common.no_cache) return usage_error("precompile fills the cache: it cannot go without (--no-cache)");
  if (!command.queue.empty() && shard.count != 1)
    return usage_error("--queue and --shard exclude each other: workers of a queue share the whole list");
  if (command.queue.empty() && command.queue_limit)
    return usage_error("--queue-limit is for workers of a queue: name one by --queue");
  KILN_CHECK(common.check_shared_timings("precompile"));
  std::shared_ptr<Timer> timer = shared_timer(common);
  if (!timer) timer = make_timer(); // the report names the slowest jobs
  KILN_TRY(PrecompileList list, read_list(command.list, timer.get()));
  if (!command.archs.empty()) {
    KILN_TRY(list.jobs, for_architectures(list.jobs, command.archs));
  }
  for (const std::string &warning : list.warnings) warn(warning);
  for (const auto &skipped : list.skipped)
    warn(fmt::format("skipped: {} cannot be repeated: {}", skipped.call, skipped.why));
  std::vector<PrecompileJob> jobs =
      shard.count == 1 ? std::move(list.jobs) : shard_of(list.jobs, shard.index, shard.count);
  if (command.dry_run) {
    std::vector<std::string> calls;
    for (const PrecompileJob &job : jobs) calls.push_back(describe(job));
    if (command.json) return write_result({}, JsonObject().add("planned_jobs", calls).line());
    std::string out;
    for (const std::string &call : calls) out += call + "\n";
    return write_result({}, out);
  }

  ::kiln::PrecompileOptions options;
  options.session = common.session();
  options.session.timer = timer;
  options.threads = command.threads;
  options.merge = !command.no_merge;
  options.queue = command.queue;
  if (command.queue_limit) options.queue_limit = std::chrono::seconds(command.queue_limit);
  const auto began = std::chrono::steady_clock::now();
  const StopOnInterrupt interrupt;
  options.stop = &interrupt.stop();
  Result<PrecompileReport> done = [&] {
    ProgressLine line("compiling", ProgressLine::Elsewhere::Lines);
    TimeLeft left(command.threads ? command.threads : std::max(1u, std::thread::hardware_concurrency()));
    options.progress = [&](const PrecompileProgress &p) {
      line.show(progress_text(p, left.after(p, line.seconds())));
    };
    return ::kiln::precompile(jobs, options);
  }();
  Result<void> timed;
  if (!common.timings.empty())
    timed = write_timings(timer, done.ok() ? done->kernels : std::vector<TimingKernel>(), common);
  KILN_TRY(PrecompileReport report, std::move(done));
  for (const std::string &path : report.changed)
    warn(fmt::format("{} has changed since the trace was recorded: compiled as it is now", path));
  if (report.not_assembled)
    warn(fmt::format("{} left as PTX, which the driver assembles: there is no assembler (kiln doctor)",
                     counted(report.not_assembled, "job")));
  if (report.not_kept)
    warn(fmt::format("{} with addresses of the process that compiles, which cannot be kept",
                     counted(report.not_kept, "job")));
  if (!report.queue_fault.empty())
    warn(fmt::format("the queue {} was lost, and {} compiled without it: {}", command.queue,
                     counted(report.alone, "job"), report.queue_fault));
  show_failures(report.failures, jobs);
  const PrecompileProgress &counts = report.counts;
  const PrecompileSummary summary{
      .report = report,
      .jobs = jobs,
      .timings = report_of(*timer),
      .folder = std::filesystem::absolute(cache_folder_path(options.session)).string(),
      .skipped = list.skipped.size(),
      .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
      .is_queue = !command.queue.empty(),
      .is_interrupted = counts.done < counts.jobs};
  if (command.json)
    KILN_CHECK(write_result({}, summary_json(summary)));
  else
    KILN_CHECK(
        write_result({}, counts_text(summary) +
                             (manner().quiet ? "" : costs_text(summary, terminal_width(STDOUT_FILENO)))));
  Result<void> lacks = check_kept(report, summary.folder);
  if (summary.is_interrupted) {
    for (const Result<void> *each : {&lacks, &timed})
      if (!each->ok()) kiln::tool::report(each->error());
    log_to_standard_error(
        LogLevel::Warning,
        fmt::format("interrupted: {} of {} are done{}; the same command goes on from there", counts.done,
                    counted(counts.jobs, "job"),
                    lacks.ok() ? fmt::format(", and their products are kept in {}", summary.folder) : ""));
    exit_status() = interrupted_status;
    return {};
  }
  if (!report.failures.empty())
    return Error(general_code(kind_of(report.failures)),
                 fmt::format("{} of {} failed", counts.failed, counted(counts.jobs, "job")));
  KILN_CHECK(check_left_out(list, command.list, ", so a program may compile yet"));
  KILN_CHECK(std::move(lacks));
  return timed;
}

} // namespace

Action precompile_command(CLI::App &app) {
  auto options = std::make_shared<PrecompileArguments>();
  app.add_option(
         "manifest", options->list,
         "a manifest (JSON; docs/cache.md), or a trace that a program recorded with KILN_TRACE_JOBS=FILE")
      ->required()
      ->type_name("MANIFEST|TRACE");
  app.add_option("--jobs", options->threads, "jobs at a time (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_option("--arch", options->archs,
                 "architectures for the jobs of GPUs, in place of the list's own: sm_80,sm_90a,sm_100f")
      ->type_name("ARCH[,ARCH...]");
  app.add_option(
         "--shard", options->shard,
         "the I-th of N disjoint parts, one for each of N machines; auto: by this process's rank (Slurm, MPI, "
         "torchrun; Kubernetes: auto/N)")
      ->type_name("I/N|auto[/N]");
  app.add_option("--queue", options->queue,
                 "share the list with workers of this name on any machines, job by job, through --remote")
      ->type_name("NAME");
  app.add_option("--queue-limit", options->queue_limit,
                 "another worker repeats a job whose worker takes longer (600)")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 86'400));
  app.add_flag(
      "--no-merge", options->no_merge,
      "a cubin of its own for each kernel: slower; what compile --emit cubin, bundle and cache export take");
  add_json_to(app, options->json);
  app.add_flag("--dry-run", options->dry_run, "list the jobs, and compile none");
  options->common.add_to(app);
  options->common.add_workers_to(app);
  options->common.add_packages_to(app);
  options->common.add_languages_to(app);
  return [options] { return precompile(*options); };
}

} // namespace kiln::tool
