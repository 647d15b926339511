// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timing_files.h"

#include "report_file.h"

#include <support/median.h>
#include <support/support.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

namespace kiln::tool {

namespace {

constexpr double min_difference = 100'000; ///< nanoseconds; smaller differences are noise
constexpr double min_total_share = 0.01;   ///< minimum difference of the total, as part of it
constexpr double min_row_share = 0.03;     ///< minimum difference of a row, as part of the total

class Reader {
public:
  explicit Reader(TimingRuns &into) : into_(into) {}

  Result<void> report(const JsonValue &value) {
    run_.clear();
    instructions_.clear();
    KILN_TRY(run_[{}], number_member(value, "wall_ns"));
    KILN_TRY(const JsonValue *stages, member(value, "rows", JsonValue::Kind::Array));
    KILN_CHECK(rows(*stages, {}));
    KILN_TRY(const JsonValue *jobs, member(value, "jobs", JsonValue::Kind::Array));
    for (const JsonValue &each : jobs->items) KILN_CHECK(job(each));
    into_.runs++;
    for (const auto &[what, time] : run_) into_.times[what].push_back(time);
    for (const auto &[what, count] : instructions_) into_.instructions[what].push_back(count);
    return {};
  }

private:
  TimingRuns &into_;
  std::map<TimedThing, uint64_t> run_, instructions_;

  Result<void> job(const JsonValue &value) {
    KILN_TRY(std::string name, text_member(value, "name"));
    KILN_TRY(std::string target, text_member(value, "target"));
    if (!target.empty()) name += " for " + target;
    const JsonValue *config = value.find("config"); // older reports lack this member
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
      const TimedThing what{of_job, fmt::format("{}", fmt::join(path, " > ")), wait->boolean};
      run_[what] += time;
      if (row.find("instructions_after")) {
        KILN_TRY(instructions_[what], number_member(row, "instructions_after"));
      }
    }
    return {};
  }
};

double minimum(const std::vector<uint64_t> &values) {
  return values.empty() ? 0 : double(*std::ranges::min_element(values));
}

double maximum(const std::vector<uint64_t> &values) {
  return values.empty() ? 0 : double(*std::ranges::max_element(values));
}

/// Returns true if every measurement in `more` exceeds every one in `less`. If two series of five runs do not
/// really differ, one exceeds the other in this way in 1 of 126 comparisons.
bool are_separated(const std::vector<uint64_t> &more, const std::vector<uint64_t> &less) {
  return minimum(more) > maximum(less);
}

/// Returns true if the first measurements of a row exceed the second ones by enough to count.
using Exceeds = std::function<bool(const std::vector<uint64_t> &, const std::vector<uint64_t> &)>;

TimingChange compare_row(const TimingSeries &before, const TimingSeries &after, const TimedThing &what,
                         const Exceeds &exceeds) {
  static const std::vector<uint64_t> none;
  auto values_of = [&](const TimingSeries &series) -> const std::vector<uint64_t> & {
    auto found = series.find(what);
    return found == series.end() ? none : found->second;
  };
  const auto &a = values_of(before), &b = values_of(after);
  return {what, minimum(a), minimum(b), exceeds(b, a), exceeds(a, b)};
}

/// Returns the rows whose measurements differ, the largest change first. Leaves out the total.
std::vector<TimingChange> compare_rows(const TimingSeries &before, const TimingSeries &after,
                                       const Exceeds &exceeds) {
  std::set<TimedThing> rows;
  for (const TimingSeries *series : {&before, &after})
    for (const auto &[what, values] : *series)
      if (what != TimedThing()) rows.insert(what);
  std::vector<TimingChange> changes;
  for (const TimedThing &what : rows)
    if (TimingChange change = compare_row(before, after, what, exceeds); change.grew || change.shrank)
      changes.push_back(std::move(change));
  std::ranges::stable_sort(changes, std::greater(),
                           [](const TimingChange &change) { return std::abs(change.after - change.before); });
  return changes;
}

} // namespace

Result<TimingRuns> read_timing_runs(const std::string &path) {
  TimingRuns runs;
  Reader reader(runs);
  std::optional<Error> fault; // the first error in the file
  read_reports(path, [&](Result<const JsonValue *> report) {
    if (fault) return;
    Result<void> read = report.ok() ? reader.report(**report) : Result<void>(report.take_error());
    if (!read.ok()) fault = read.take_error();
  });
  if (fault) return *std::move(fault);
  return runs;
}

TimingComparison compare_timings(const TimingRuns &before, const TimingRuns &after,
                                 const TimingThresholds &thresholds) {
  const auto total = before.times.find({});
  const double before_total = total == before.times.end() ? 0 : minimum(total->second);
  const auto exceed_bounds = [&](const auto &more, const auto &less, double min_share) {
    return minimum(more) - minimum(less) >
           std::max({thresholds.time * minimum(less), min_difference, min_share * before_total});
  };
  const Exceeds is_total_slower = [&](const std::vector<uint64_t> &more, const std::vector<uint64_t> &less) {
    return exceed_bounds(more, less, min_total_share) && minimum(more) > median_of(less);
  };
  const Exceeds is_row_slower = [&](const std::vector<uint64_t> &more, const std::vector<uint64_t> &less) {
    return exceed_bounds(more, less, min_row_share) && are_separated(more, less);
  };
  const Exceeds is_larger = [&](const std::vector<uint64_t> &more, const std::vector<uint64_t> &less) {
    return are_separated(more, less) &&
           minimum(more) - minimum(less) > thresholds.instructions * minimum(less);
  };
  TimingComparison found{compare_rows(before.times, after.times, is_row_slower),
                         compare_rows(before.instructions, after.instructions, is_larger)};
  found.times.insert(found.times.begin(), compare_row(before.times, after.times, {}, is_total_slower));
  return found;
}

} // namespace kiln::tool
