// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timing_facts.h"

#include "count.h"
#include "timing_share.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <span>

namespace kiln::timing {

namespace {

constexpr std::string_view untimed = "untimed";
constexpr size_t max_facts = 5, max_alike = 2; ///< per report; per kind of fact (stages, jobs)
constexpr const char *interpretation_hint =
    "Kiln compiles functions that run often, unless they use strings, dictionaries, push! or mutable structs. "
    "KILN_LOG=debug names the calls that stay interpreted.";

std::string milliseconds(uint64_t nanoseconds) { return fmt::format("{:.1f} ms", double(nanoseconds) / 1e6); }

std::string label(const TimingJob &job) {
  return fmt::format("{}{}{}{}{}", job.name, job.target.empty() ? "" : " for ", job.target,
                     job.config.empty() ? "" : " ", job.config);
}

/// Sums the time of rows by stage name, without nested stages. Leaves out waits, untimed time and work for
/// other jobs.
std::map<std::string_view, uint64_t> own_times(const std::vector<TimingRow> &rows) {
  std::map<std::string_view, uint64_t> sums;
  for (const TimingRow &row : rows)
    if (!row.is_wait && row.name != untimed && row.name != stage_name(Stage::OtherJob))
      sums[row.name] += row.self_nanoseconds;
  return sums;
}

uint64_t waits_of(const TimingJob &job) {
  uint64_t sum = 0;
  for (const TimingRow &row : job.rows)
    if (row.is_wait) sum += row.self_nanoseconds;
  return sum;
}

/// Returns the entries of report.jobs that are one job each. The last entry may be a sum of later jobs.
std::span<const TimingJob> single_jobs(const TimingReport &report) {
  return std::span(report.jobs).first(std::min(report.jobs.size(), TimingReport::kept_jobs));
}

/// Adds the largest facts of `found`, at most max_alike of them.
void add_largest(std::vector<TimingFact> &facts, std::vector<TimingFact> found) {
  std::ranges::stable_sort(found, std::greater<>(), &TimingFact::nanoseconds);
  found.resize(std::min(found.size(), max_alike));
  std::ranges::move(found, std::back_inserter(facts));
}

void add_stages(const TimingReport &report, std::vector<TimingFact> &facts) {
  std::vector<std::map<std::string_view, uint64_t>> times_of_jobs;
  for (const TimingJob &job : single_jobs(report)) times_of_jobs.push_back(own_times(job.rows));
  std::vector<TimingFact> found;
  for (const auto &[name, time] : own_times(report.rows)) {
    uint64_t calls = 0, longest_time = 0;
    for (const TimingRow &row : report.rows)
      if (row.name == name) calls += row.calls;
    TimingFact fact{.nanoseconds = time,
                    .text = fmt::format("The stage {} ran {}.", name, counted(calls, "time")),
                    .hint = name == stage_name(Stage::HostInterpretation) ? interpretation_hint : "",
                    .stage = std::string(name),
                    .job = {}};
    for (size_t job = 0; job < times_of_jobs.size(); job++) {
      const auto own = times_of_jobs[job].find(name);
      if (own == times_of_jobs[job].end() || own->second <= longest_time) continue;
      longest_time = own->second;
      fact.job = job;
    }
    if (fact.job && report.jobs.size() > 1)
      fact.text +=
          fmt::format(" {} of it went to {}.", milliseconds(longest_time), label(report.jobs[*fact.job]));
    found.push_back(std::move(fact));
  }
  add_largest(facts, std::move(found));
}

void add_jobs(const TimingReport &report, std::vector<TimingFact> &facts) {
  std::vector<TimingFact> found;
  for (const TimingJob &job : single_jobs(report)) {
    const bool is_compiled = std::ranges::count(job.lookups, "made", &TimingLookup::answer) != 0;
    TimingFact fact{.nanoseconds = job.nanoseconds, .job = size_t(&job - report.jobs.data())};
    fact.text = fmt::format("{} {}{}.", is_compiled ? "Kiln compiled" : "Kiln looked up", label(job),
                            job.calls > 1 ? fmt::format(" (asked for {})", counted(job.calls, "time")) : "");
    const auto times = own_times(job.rows);
    const auto longest = std::ranges::max_element(times, {}, [](const auto &each) { return each.second; });
    if (longest != times.end())
      fact.text +=
          fmt::format(" Its longest stage is {}, {}.", longest->first, milliseconds(longest->second));
    found.push_back(std::move(fact));
  }
  add_largest(facts, std::move(found));
}

/// Adds a fact about the time that threads waited. Leaves out a thread's waits for jobs that it submitted.
void add_waits(const TimingReport &report, std::vector<TimingFact> &facts) {
  struct Sum {
    std::string_view name;
    uint64_t nanoseconds = 0, calls = 0;
  };
  std::vector<Sum> sums;
  TimingFact fact;
  for (const TimingRow &row : report.rows) {
    if (!row.is_wait || row.name == stage_name(Stage::WaitForJobs)) continue;
    auto sum = std::ranges::find(sums, row.name, &Sum::name);
    if (sum == sums.end()) sum = sums.insert(sum, {row.name});
    sum->nanoseconds += row.self_nanoseconds;
    sum->calls += row.calls;
    fact.nanoseconds += row.self_nanoseconds;
  }
  std::ranges::stable_sort(sums, std::greater<>(), &Sum::nanoseconds);
  std::vector<std::string> parts;
  for (const Sum &sum : sums) {
    const auto jobs = size_t(std::ranges::count_if(report.jobs, [&](const TimingJob &job) {
      return std::ranges::find(job.rows, sum.name, &TimingRow::name) != job.rows.end();
    }));
    std::string_view what = sum.name;
    if (what.starts_with("wait for ")) what.remove_prefix(9);
    if (what == stage_name(Stage::CacheWait)) what = "another process";
    parts.push_back(fmt::format("for {} ({}, {})", what, milliseconds(sum.nanoseconds),
                                jobs ? counted(jobs, "job") : counted(sum.calls, "wait")));
  }
  fact.text = fmt::format("Threads waited: {}.", fmt::join(parts, ", "));
  if (!sums.empty()) fact.stage = sums[0].name;
  facts.push_back(std::move(fact));
}

/// Adds a fact about the stage that multiplied a module's LLVM instructions, if later stages became slow.
/// Chooses the stage whose later stages took longest.
void add_growth(const TimingReport &report, std::vector<TimingFact> &facts) {
  TimingFact largest;
  for (const TimingJob &job : single_jobs(report)) {
    uint64_t after = 0;
    for (size_t i = job.rows.size(); i-- > 0;) {
      const TimingRow &row = job.rows[i];
      if (is_growth(row.instructions_before, row.instructions_after) && after > largest.nanoseconds)
        largest = {.nanoseconds = after,
                   .text = fmt::format("The stage {} made {} LLVM instructions of {} in {}. The stages after "
                                       "it take this time.",
                                       row.name, row.instructions_after, row.instructions_before, label(job)),
                   .hint = "Mark functions @noinline that need not be inlined.",
                   .stage = row.name,
                   .job = size_t(&job - report.jobs.data())};
      if (!row.is_wait && row.name != untimed) after += row.self_nanoseconds;
    }
  }
  facts.push_back(std::move(largest));
}

void add_misses(const TimingReport &report, std::vector<TimingFact> &facts) {
  uint64_t missing = 0, all = 0;
  std::map<std::string_view, uint64_t> reasons;
  TimingFact fact;
  for (const TimingJob &job : report.jobs) {
    uint64_t made = 0, products = 0;
    for (const TimingLookup &lookup : job.lookups) {
      products += lookup.count;
      if (lookup.answer != "made") continue;
      made += lookup.count;
      reasons[lookup.reason] += lookup.count;
    }
    missing += made;
    all += products;
    if (made == 0) continue;
    const uint64_t time = job.nanoseconds - std::min(job.nanoseconds, waits_of(job));
    const bool is_sum = size_t(&job - report.jobs.data()) >= TimingReport::kept_jobs;
    // Jobs of the sum that compiled nothing took time too: the share of products estimates the share of time.
    fact.nanoseconds += is_sum ? uint64_t(double(time) * double(made) / double(products)) : time;
  }
  if (missing == 0) return;
  std::vector<std::string> parts;
  for (const auto &[reason, count] : reasons)
    parts.push_back(reasons.size() == 1 ? std::string(reason) : fmt::format("{} {}", count, reason));
  fact.text = fmt::format("Kiln compiled {} of {}. Cause: {}.", missing, counted(all, "product"),
                          fmt::join(parts, "; "));
  if (report.process.cache_folder.empty())
    fact.hint = "Name a folder by --cache or KILN_CACHE_DIR: the next process then finds the products.";
  facts.push_back(std::move(fact));
}

void add_untimed(const TimingReport &report, std::vector<TimingFact> &facts) {
  for (const TimingRow &row : report.rows)
    if (row.depth == 0 && row.name == untimed)
      facts.push_back({.nanoseconds = row.nanoseconds,
                       .text = "No stage covers this time of the first thread.",
                       .stage = std::string(untimed),
                       .job = {}});
}

} // namespace

uint64_t whole_time(const TimingReport &report) {
  if (report.threads <= 1) return report.wall_nanoseconds;
  uint64_t sum = 0, counted_twice = 0; // counted_twice: the first thread's untimed time in jobs
  for (const TimingRow &row : report.rows)
    if (row.depth == 0 && row.name != stage_name(Stage::WaitForJobs)) {
      sum += row.nanoseconds;
      if (row.name == untimed) counted_twice += row.job_nanoseconds;
    }
  for (const TimingJob &job : report.jobs)
    for (const TimingRow &row : job.rows)
      if (row.depth == 0 && row.name == untimed) sum += row.nanoseconds;
  return sum - std::min(sum, counted_twice);
}

std::vector<TimingFact> timing_facts(const TimingReport &report) {
  std::vector<TimingFact> facts;
  for (auto *add : {add_misses, add_stages, add_jobs, add_waits, add_growth, add_untimed}) add(report, facts);
  const uint64_t min_nanoseconds = std::max<uint64_t>(whole_time(report) / 100, 1);
  std::erase_if(facts, [&](const TimingFact &fact) { return fact.nanoseconds < min_nanoseconds; });
  std::ranges::stable_sort(facts, std::greater<>(), &TimingFact::nanoseconds);
  facts.resize(std::min(facts.size(), max_facts));
  return facts;
}

} // namespace kiln::timing
