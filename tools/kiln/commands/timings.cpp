// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln timings diff: finds what grew between two files of reports, in time and in LLVM instructions.
#include "../command.h"
#include "../output.h"
#include "../timing_files.h"
#include "timings_merge.h"

#include <algorithm>

namespace kiln::tool {

namespace {

constexpr size_t enough_runs = 5; ///< for the error rates in docs/guide/timings.md

struct TimingsArguments {
  std::string before, after;
  double threshold = 10, count_threshold = 5; ///< per cent
};

std::string time_text(double nanoseconds) { return fmt::format("{:.3f} ms", nanoseconds / 1e6); }
std::string count_text(double instructions) { return fmt::format("{:.0f}", instructions); }

std::string name_of(const TimedThing &what) {
  if (what.job.empty() && what.stage.empty()) return "all";
  if (what.stage.empty()) return what.job;
  return what.job.empty() ? what.stage : fmt::format("{}: {}", what.job, what.stage);
}

std::string change_text(const TimingChange &change) {
  if (change.before == 0) return change.after == 0 ? "" : "new";
  if (change.after == 0) return "gone";
  return fmt::format("{:+.1f} %", 100 * (change.after / change.before - 1));
}

/// Words for the three verdicts of a table's rows.
struct Verdicts {
  std::string_view grew, shrank, wait_grew;
};

/// A table of the changes. Sets `has_grown` if a row other than a wait grew.
std::string table_of(std::string_view head, const std::vector<TimingChange> &changes,
                     const Verdicts &verdicts, std::string (*text)(double), bool &has_grown) {
  size_t width = head.size();
  for (const TimingChange &change : changes) width = std::max(width, name_of(change.what).size());
  std::string out = fmt::format("{:<{}}  {:>13} {:>13} {:>10}\n", head, width, "before", "after", "change");
  for (const TimingChange &change : changes) {
    const bool counts = change.grew && !change.what.is_wait;
    has_grown |= counts;
    out += fmt::format("{:<{}}  {:>13} {:>13} {:>10}  {}\n", name_of(change.what), width, text(change.before),
                       text(change.after), change_text(change),
                       counts          ? verdicts.grew
                       : change.grew   ? verdicts.wait_grew
                       : change.shrank ? verdicts.shrank
                                       : "the same");
  }
  return out;
}

Result<void> diff(const TimingsArguments &options) {
  if (options.before == options.after)
    return usage_error(fmt::format("{} is compared with itself: name two files", options.before));
  KILN_TRY(TimingRuns before, read_timing_runs(options.before));
  KILN_TRY(TimingRuns after, read_timing_runs(options.after));
  TimingComparison found =
      compare_timings(before, after, {options.threshold / 100, options.count_threshold / 100});

  bool is_slower = false, is_larger = false;
  found.times.insert(found.times.begin(), found.total);
  std::string out = table_of("", found.times, {"slower", "faster", "longer wait"}, time_text, is_slower);
  if (!found.instructions.empty())
    out += "\n" + table_of("LLVM instructions", found.instructions, {"larger", "smaller", "larger"},
                           count_text, is_larger);
  out += fmt::format("{} and {} runs; {} by more than {} %; {} by more than {} %\n", before.runs, after.runs,
                     is_slower ? "something is slower" : "nothing is slower", options.threshold,
                     is_larger ? "code is larger" : "no code is larger", options.count_threshold);
  if (std::min(before.runs, after.runs) < enough_runs)
    out += fmt::format(
        "note: fewer than {} runs in a file: noise may look like a change. Append {} reports to each "
        "file, and run the two programs by turns\n",
        enough_runs, enough_runs);
  if (is_slower || is_larger) exit_status() = regression_found;
  return write_result({}, out);
}

/// Accepts numbers, and refuses nan, which a range accepts.
std::string check_number(const std::string &text) {
  return text.find("nan") == text.npos ? "" : text + " is no number";
}

Action diff_command(CLI::App &app) {
  auto options = std::make_shared<TimingsArguments>();
  app.add_option("before", options->before, "reports of --timings=json:FILE, one or several runs")
      ->required()
      ->type_name("A.json");
  app.add_option("after", options->after, "the reports to compare with them")
      ->required()
      ->type_name("B.json");
  const auto add_threshold = [&](const char *name, double &percent, const char *about) {
    app.add_option(name, percent, about)
        ->check(CLI::Range(0.0, 1e6))
        ->check(check_number)
        ->type_name("PERCENT");
  };
  add_threshold("--threshold", options->threshold, "smallest growth in time that counts (10)");
  add_threshold("--count-threshold", options->count_threshold,
                "smallest growth in LLVM instructions that counts (5)");
  return [options] { return diff(*options); };
}

constexpr Command timings_commands[] = {
    {"diff", "Shows what became slower or larger, by stage and job; exit status 5 past a threshold",
     diff_command},
    {"merge", "The reports of many processes as one: who compiled, who waited for whom",
     timings_merge_command},
};

} // namespace

Action timings_command(CLI::App &app) { return add_commands(app, timings_commands); }

} // namespace kiln::tool
