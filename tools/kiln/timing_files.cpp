// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timing_files.h"

#include "report_file.h"

#include <support/support.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace kiln::tool {

namespace {

constexpr double min_difference = 100'000; ///< nanoseconds; smaller differences are noise on any machine
constexpr double min_share = 0.01;         ///< of the total

class Reader {
public:
  explicit Reader(TimingRuns &into) : into_(into) {}

  Result<void> report(const JsonValue &value) {
    run_.clear();
    KILN_TRY(run_[{}], number_member(value, "wall_ns"));
    KILN_TRY(const JsonValue *stages, member(value, "rows", JsonValue::Kind::Array));
    KILN_CHECK(rows(*stages, {}));
    KILN_TRY(const JsonValue *jobs, member(value, "jobs", JsonValue::Kind::Array));
    for (const JsonValue &each : jobs->items) KILN_CHECK(job(each));
    into_.runs++;
    for (const auto &[what, time] : run_) into_.times[what].push_back(time);
    return {};
  }

private:
  TimingRuns &into_;
  std::map<TimedThing, uint64_t> run_;

  Result<void> job(const JsonValue &value) {
    KILN_TRY(std::string name, text_member(value, "name"));
    KILN_TRY(std::string target, text_member(value, "target"));
    if (!target.empty()) name += " for " + target;
    const JsonValue *config = value.find("config"); // missing in older reports
    if (config && config->is(JsonValue::Kind::String) && !config->text.empty()) name += " " + config->text;
    KILN_TRY(uint64_t time, number_member(value, "ns"));
    run_[{name, {}, false}] += time;
    KILN_TRY(const JsonValue *stages, member(value, "rows", JsonValue::Kind::Array));
    return rows(*stages, name);
  }

  Result<void> rows(const JsonValue &list, const std::string &of_job) {
    std::vector<std::string> path;
    for (const JsonValue &row : list.items) {
      KILN_TRY(std::string name, text_member(row, "name"));
      KILN_TRY(uint64_t depth, number_member(row, "depth"));
      KILN_TRY(uint64_t time, number_member(row, "self_ns"));
      KILN_TRY(const JsonValue *wait, member(row, "wait", JsonValue::Kind::Boolean));
      if (depth > path.size()) return no_report("a row of this report is deeper than the one before", row.at);
      path.resize(depth);
      path.push_back(std::move(name));
      run_[{of_job, fmt::format("{}", fmt::join(path, " > ")), wait->boolean}] += time;
    }
    return {};
  }
};

double least(const std::vector<uint64_t> &times) {
  return times.empty() ? 0 : double(*std::min_element(times.begin(), times.end()));
}

double median(std::vector<uint64_t> times) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return double(times[times.size() / 2] + times[(times.size() - 1) / 2]) / 2;
}

} // namespace

Result<TimingRuns> read_timing_runs(const std::string &path) {
  TimingRuns runs;
  Reader reader(runs);
  std::optional<Error> fault; // the first error
  read_reports(path, [&](Result<const JsonValue *> report) {
    if (fault) return;
    Result<void> read = report.ok() ? reader.report(**report) : Result<void>(report.take_error());
    if (!read.ok()) fault = read.take_error();
  });
  if (fault) return *std::move(fault);
  return runs;
}

std::vector<TimingChange> compare_timings(const TimingRuns &before, const TimingRuns &after,
                                          double threshold) {
  const std::vector<uint64_t> none;
  auto times_of = [&](const TimingRuns &runs, const TimedThing &what) -> const std::vector<uint64_t> & {
    auto found = runs.times.find(what);
    return found == runs.times.end() ? none : found->second;
  };
  const double floor = std::max(min_difference, min_share * least(times_of(before, {})));
  auto exceeds = [&](const std::vector<uint64_t> &more, const std::vector<uint64_t> &less) {
    const double difference = least(more) - least(less);
    return difference > threshold * least(less) && difference > floor && least(more) > median(less);
  };
  auto compare = [&](const TimedThing &what) {
    const auto &a = times_of(before, what), &b = times_of(after, what);
    return TimingChange{what, least(a), least(b), exceeds(b, a), exceeds(a, b)};
  };
  std::map<TimedThing, bool> all;
  for (const TimingRuns *runs : {&before, &after})
    for (const auto &[what, times] : runs->times) all[what] = true;
  std::vector<TimingChange> changes;
  for (const auto &[what, unused] : all)
    if (TimingChange change = compare(what); !(what == TimedThing()) && (change.slower || change.faster))
      changes.push_back(std::move(change));
  std::stable_sort(changes.begin(), changes.end(), [](const TimingChange &x, const TimingChange &y) {
    return std::abs(x.after - x.before) > std::abs(y.after - y.before);
  });
  changes.insert(changes.begin(), compare({}));
  return changes;
}

} // namespace kiln::tool
