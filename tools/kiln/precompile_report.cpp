// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "precompile_report.h"

#include "json_object.h"

#include <support/count.h>
#include <support/shorten.h>

#include <algorithm>
#include <span>

namespace kiln::tool {

namespace {

constexpr size_t max_slowest = 20;

size_t compiled_jobs(const PrecompileProgress &counts) {
  return counts.done - counts.hits - counts.failed - counts.elsewhere;
}

/// Compiled jobs, slowest first. Leaves out the entry that sums the jobs after the first `kept_jobs`.
std::vector<const TimingJob *> slowest_jobs(const TimingReport &timings) {
  std::vector<const TimingJob *> jobs;
  for (const TimingJob &job :
       std::span(timings.jobs).first(std::min(timings.jobs.size(), TimingReport::kept_jobs)))
    if (std::ranges::any_of(job.products, [](const auto &each) { return each.found == "compiled"; }))
      jobs.push_back(&job);
  std::ranges::stable_sort(jobs, std::greater(), &TimingJob::nanoseconds);
  jobs.resize(std::min(jobs.size(), max_slowest));
  return jobs;
}

double seconds_of(const TimingJob &job) { return double(job.nanoseconds) / 1e9; }

/// "f(Int64)  debug_level=2"
std::string label(const TimingJob &job) {
  return job.config.empty() ? job.name : fmt::format("{}  {}", job.name, job.config);
}

} // namespace

std::string counts_text(const PrecompileSummary &summary) {
  const PrecompileProgress &counts = summary.report.counts;
  std::string text = fmt::format("{}: {} were there, {} compiled, {} failed", counted(counts.jobs, "job"),
                                 counts.hits, compiled_jobs(counts), counts.failed);
  if (summary.is_queue)
    text += fmt::format(", {} by other workers, {} taken over from workers that ended", counts.elsewhere,
                        counts.returned);
  if (summary.skipped) text += fmt::format(", {} skipped", summary.skipped);
  return text + "\n";
}

std::string costs_text(const PrecompileSummary &summary, size_t width) {
  std::string text = fmt::format("{:.1f} s, {:.2f} MiB written to {}\n", summary.seconds,
                                 double(summary.report.bytes) / (1 << 20), summary.folder);
  const std::vector<const TimingJob *> slowest = slowest_jobs(summary.timings);
  if (slowest.size() < 2) return text;
  size_t target_width = 0;
  for (const TimingJob *job : slowest) target_width = std::max(target_width, job->target.size());
  text += fmt::format("slowest{}:\n", summary.timings.jobs.size() > TimingReport::kept_jobs
                                          ? fmt::format(" of the first {} jobs", TimingReport::kept_jobs)
                                          : "");
  const size_t left = 14 + target_width;
  for (const TimingJob *job : slowest)
    text += fmt::format("{:>9.3f} s  {:<{}}  {}\n", seconds_of(*job), job->target, target_width,
                        shorten_end(label(*job), std::max<size_t>(width, left + 20) - left));
  return text;
}

std::string summary_json(const PrecompileSummary &summary) {
  const PrecompileReport &report = summary.report;
  const PrecompileProgress &counts = report.counts;
  std::vector<JsonObject> slowest, failures;
  for (const TimingJob *job : slowest_jobs(summary.timings))
    slowest.push_back(JsonObject()
                          .add("job", job->name)
                          .add("target", job->target)
                          .add("config", job->config)
                          .add("seconds", seconds_of(*job)));
  for (const auto &failure : report.failures) {
    const Diagnostic &first = failure.error.diagnostics()[0];
    failures.push_back(JsonObject()
                           .add("job", describe(summary.jobs[failure.job]))
                           .add("number", int(first.code))
                           .add("message", first.message));
  }
  return JsonObject()
      .add("jobs", counts.jobs)
      .add("hits", counts.hits)
      .add("compiled", compiled_jobs(counts))
      .add("failed", counts.failed)
      .add("elsewhere", counts.elsewhere)
      .add("taken_over", counts.returned)
      .add("skipped", summary.skipped)
      .add("interrupted", summary.is_interrupted)
      .add("products", report.made)
      .add("not_assembled", report.not_assembled)
      .add("not_kept", report.not_kept)
      .add("missing_entries", report.missing)
      .add("folder", summary.folder)
      .add("written_bytes", report.bytes)
      .add("seconds", summary.seconds)
      .add("slowest", slowest)
      .add("failures", failures)
      .line();
}

} // namespace kiln::tool
