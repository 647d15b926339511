// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln timings diff: compares two files of timing reports, and lists the stages and jobs whose time or number
// of LLVM instructions changed.
#include "../command.h"
#include "../json_object.h"
#include "../output.h"
#include "../timing_files.h"
#include "timings_merge.h"

#include <algorithm>

namespace kiln::tool {

namespace {

constexpr size_t enough_runs =
    5; ///< docs/measurements/compile-time.md has the error rates for this many runs

struct TimingsArguments {
  std::string before, after;
  double threshold = 10, count_threshold = 5; ///< per cent
  bool json = false;
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

/// Words for the last column of the comparison table, which says how a row changed.
struct Verdicts {
  std::string_view grew, shrank, wait_grew;
};
constexpr Verdicts time_verdicts{"slower", "faster", "longer wait"};
constexpr Verdicts code_verdicts{"larger", "smaller", "larger"};

/// Returns true if a row grew and is no wait. Other processes cause longer waits, so these are no regression.
bool is_regression(const TimingChange &change) { return change.grew && !change.what.is_wait; }

std::string_view verdict_of(const TimingChange &change, const Verdicts &verdicts) {
  return is_regression(change) ? verdicts.grew
         : change.grew         ? verdicts.wait_grew
         : change.shrank       ? verdicts.shrank
                               : "the same";
}

std::string table_of(std::string_view head, const std::vector<TimingChange> &changes,
                     const Verdicts &verdicts, std::string (*text)(double)) {
  size_t width = head.size();
  for (const TimingChange &change : changes) width = std::max(width, name_of(change.what).size());
  std::string out = fmt::format("{:<{}}  {:>13} {:>13} {:>10}\n", head, width, "before", "after", "change");
  for (const TimingChange &change : changes)
    out += fmt::format("{:<{}}  {:>13} {:>13} {:>10}  {}\n", name_of(change.what), width, text(change.before),
                       text(change.after), change_text(change), verdict_of(change, verdicts));
  return out;
}

/// Result of diff.
struct Comparison : TimingComparison {
  size_t before_runs = 0, after_runs = 0;
  bool is_slower() const { return std::ranges::any_of(times, is_regression); }
  bool is_larger() const { return std::ranges::any_of(instructions, is_regression); }
};

std::string text_of(const Comparison &found, const TimingsArguments &options) {
  std::string out = table_of("", found.times, time_verdicts, time_text);
  if (!found.instructions.empty())
    out += "\n" + table_of("LLVM instructions", found.instructions, code_verdicts, count_text);
  out += fmt::format("{} and {} runs; {} by more than {} %; {} by more than {} %\n", found.before_runs,
                     found.after_runs, found.is_slower() ? "something is slower" : "nothing is slower",
                     options.threshold, found.is_larger() ? "code is larger" : "no code is larger",
                     options.count_threshold);
  if (std::min(found.before_runs, found.after_runs) < enough_runs)
    out += fmt::format(
        "note: fewer than {} runs in a file: noise may look like a change. Append {} reports to each "
        "file, and run the two programs by turns\n",
        enough_runs, enough_runs);
  return out;
}

std::string json_of(const Comparison &found, const TimingsArguments &options) {
  const auto row = [](const TimingChange &change) {
    return JsonObject().add("job", change.what.job).add("stage", change.what.stage);
  };
  std::vector<JsonObject> times, instructions;
  for (const TimingChange &change : found.times)
    times.push_back(row(change)
                        .add("before_seconds", change.before / 1e9)
                        .add("after_seconds", change.after / 1e9)
                        .add("verdict", verdict_of(change, time_verdicts)));
  for (const TimingChange &change : found.instructions)
    instructions.push_back(row(change)
                               .add("before_instructions", uint64_t(change.before))
                               .add("after_instructions", uint64_t(change.after))
                               .add("verdict", verdict_of(change, code_verdicts)));
  return JsonObject()
      .add("before_runs", found.before_runs)
      .add("after_runs", found.after_runs)
      .add("threshold_percent", options.threshold)
      .add("count_threshold_percent", options.count_threshold)
      .add("slower", found.is_slower())
      .add("larger", found.is_larger())
      .add("changes", times)
      .add("instructions", instructions)
      .line();
}

Result<void> diff(const TimingsArguments &options) {
  if (options.before == options.after)
    return usage_error(fmt::format("{} is compared with itself: name two files", options.before));
  KILN_TRY(TimingRuns before, read_timing_runs(options.before));
  KILN_TRY(TimingRuns after, read_timing_runs(options.after));
  const Comparison found{
      compare_timings(before, after, {options.threshold / 100, options.count_threshold / 100}), before.runs,
      after.runs};
  if (found.is_slower() || found.is_larger()) exit_status() = regression_found;
  return write_result({}, options.json ? json_of(found, options) : text_of(found, options));
}

/// Check for CLI11 that rejects "nan", because CLI::Range accepts it. Returns the message, or an empty text.
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
  add_json_to(app, options->json);
  return [options] { return diff(*options); };
}

constexpr Command timings_commands[] = {
    {"diff", "Reports",
     "Lists what became slower or larger, by stage and job; exit status 5 past a threshold",
     "kiln timings diff A.json B.json [OPTIONS]", "kiln timings diff before.json after.json --threshold 20",
     diff_command},
    {"merge", "Reports", "Merges reports of many processes: who compiled, who waited for whom",
     "kiln timings merge FILE.json... [OPTIONS]", "kiln timings merge report-*.json --html fleet.html",
     timings_merge_command},
};

} // namespace

Action timings_command(CLI::App &app) { return add_commands(app, timings_commands); }

} // namespace kiln::tool
