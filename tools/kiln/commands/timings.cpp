// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln timings diff: finds stages that became slower between two reports, for people and for CI.
#include "../command.h"
#include "../output.h"
#include "../timing_files.h"
#include "timings_merge.h"

#include <algorithm>

namespace kiln::tool {

namespace {

struct TimingsArguments {
  std::string before, after;
  double threshold = 10;
};

std::string time_text(double nanoseconds) { return fmt::format("{:.3f} ms", nanoseconds / 1e6); }

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

Result<void> diff(const TimingsArguments &options) {
  if (options.before == options.after)
    return usage_error(fmt::format("{} is compared with itself: name two files", options.before));
  KILN_TRY(TimingRuns before, read_timing_runs(options.before));
  KILN_TRY(TimingRuns after, read_timing_runs(options.after));
  const auto changes = compare_timings(before, after, options.threshold / 100);

  size_t width = 3;
  for (const TimingChange &change : changes) width = std::max(width, name_of(change.what).size());
  std::string out = fmt::format("{:<{}}  {:>13} {:>13} {:>10}\n", "", width, "before", "after", "change");
  bool any_slower = false;
  for (const TimingChange &change : changes) {
    const bool counts = change.slower && !change.what.is_wait;
    any_slower |= counts;
    out += fmt::format("{:<{}}  {:>13} {:>13} {:>10}  {}\n", name_of(change.what), width,
                       time_text(change.before), time_text(change.after), change_text(change),
                       counts          ? "slower"
                       : change.slower ? "longer wait"
                       : change.faster ? "faster"
                                       : "the same");
  }
  out += fmt::format("{} and {} runs; {} by more than {} %\n", before.runs, after.runs,
                     any_slower ? "something is slower" : "nothing is slower", options.threshold);
  if (before.runs == 1 || after.runs == 1)
    out += "a file with one run does not tell noise: several, appended to one file, do\n";
  if (any_slower) exit_status() = regression_found;
  return write_result({}, out);
}

Action diff_command(CLI::App &app) {
  auto options = std::make_shared<TimingsArguments>();
  app.add_option("before", options->before, "reports of --timings=json:FILE")
      ->required()
      ->type_name("A.json");
  app.add_option("after", options->after, "those to compare with them")->required()->type_name("B.json");
  app.add_option("--threshold", options->threshold, "from how many per cent on something is slower (10)")
      ->check(CLI::Range(0.0, 1e6))
      ->check(
          [](const std::string &text) { return text.find("nan") == text.npos ? "" : text + " is no number"; })
      ->type_name("PERCENT");
  return [options] { return diff(*options); };
}

constexpr Command timings_commands[] = {
    {"diff", "What got slower, by stage and job; exit status 5 past the threshold", diff_command},
    {"merge", "The reports of many processes as one: who compiled, who waited for whom",
     timings_merge_command},
};

} // namespace

Action timings_command(CLI::App &app) { return add_commands(app, timings_commands); }

} // namespace kiln::tool
