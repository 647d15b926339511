// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count.h"
#include "shorten.h"
#include "timing_share.h"

#include <kiln/timing.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <span>

namespace kiln {

namespace {

std::string time_text(double nanoseconds) {
  if (nanoseconds < 1e3) return fmt::format("{:.0f}ns", nanoseconds);
  if (nanoseconds < 1e6) return fmt::format("{:.2f}μs", nanoseconds / 1e3);
  if (nanoseconds < 1e9) return fmt::format("{:.2f}ms", nanoseconds / 1e6);
  return fmt::format("{:.2f}s", nanoseconds / 1e9);
}

std::string memory_text(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f}B", bytes);
  if (bytes < 1024.0 * 1024) return fmt::format("{:.1f}KiB", bytes / 1024);
  if (bytes < 1024.0 * 1024 * 1024) return fmt::format("{:.1f}MiB", bytes / (1024.0 * 1024));
  return fmt::format("{:.1f}GiB", bytes / (1024.0 * 1024 * 1024));
}

std::string percent_text(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f}%", 100.0 * part / whole) : "-";
}

std::string rule(size_t width) {
  std::string line = " ";
  for (size_t i = 0; i < width; ++i) line += "─";
  return line + "\n";
}

} // namespace

/// Formats the report's table of GPU kernels. Empty, if there is no GPU kernel.
static std::string kernel_table(const std::vector<TimingKernel> &kernels) {
  if (std::ranges::all_of(kernels, &TimingKernel::is_cpu)) return {};
  size_t name_width = 6;
  for (const TimingKernel &kernel : kernels) name_width = std::max(name_width, kernel.name.size());
  std::string out = fmt::format("\n {:<{}}  {:>9} {:>7} {:>6} {:>7} {:>6} {:>8} {:>7} {:>9}  {}\n", "Kernel",
                                name_width, "registers", "spilled", "stack", "shared", "const", "launches",
                                "threads", "occupancy", "limit, assembler");
  for (const TimingKernel &k : kernels) {
    if (k.is_cpu) continue;
    std::string shared = k.dynamic_shared_bytes ? fmt::format("{}+{}", k.shared_bytes, k.dynamic_shared_bytes)
                                                : std::to_string(k.shared_bytes);
    out += fmt::format(" {:<{}}  {:>9} {:>6}B {:>5}B {:>6}B {:>5}B {:>8} {:>7} {:>9}  {}{}{}\n", k.name,
                       name_width, k.registers, k.spilled_bytes, k.stack_bytes, shared, k.constant_bytes,
                       k.launches, k.launches ? std::to_string(k.threads) : "-",
                       k.launches ? fmt::format("{:.0f}%", 100 * k.occupancy) : "-", k.limit,
                       k.limit.empty() ? "" : ", ", k.assembler);
    if (k.coarse_factor == 1)
      out += fmt::format(" {:<{}}  {:>9} launches of it ran its entry for arrays that are apart\n", "",
                         name_width, k.coarse_launches);
    else if (k.coarse_factor)
      out += fmt::format(" {:<{}}  {:>9} launches of it ran its coarse entry, {} elements a thread\n", "",
                         name_width, k.coarse_launches, k.coarse_factor);
  }
  return out;
}

/// Formats the table of kernels' run times, the longest total first. Empty, if no kernel's run time was
/// measured.
static std::string execution_table(const std::vector<TimingKernel> &kernels) {
  std::vector<const TimingKernel *> timed;
  size_t name_width = 9;
  for (const TimingKernel &kernel : kernels) {
    if (!kernel.executions) continue;
    timed.push_back(&kernel);
    name_width = std::max(name_width, kernel.name.size());
  }
  if (timed.empty()) return {};
  std::ranges::stable_sort(timed, std::greater<>(), &TimingKernel::execution_total);
  std::string out = fmt::format("\n {:<{}}  {:>3} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "Execution", name_width,
                                "on", "count", "total", "min", "median", "max");
  for (const TimingKernel *k : timed)
    out +=
        fmt::format(" {:<{}}  {:>3} {:>9} {:>9} {:>9} {:>9} {:>9}\n", k->name, name_width,
                    k->is_cpu ? "CPU" : "GPU", k->executions, time_text(k->execution_total),
                    time_text(k->execution_min), time_text(k->execution_median), time_text(k->execution_max));
  return out;
}

/// Formats the table of jobs, the longest first. Empty for a single job, whose time the table of stages
/// shows.
static std::string job_table(const std::vector<TimingJob> &jobs) {
  constexpr size_t shown_jobs = 20;
  if (jobs.size() < 2) return {};
  std::vector<const TimingJob *> longest;
  for (const TimingJob &job : jobs) longest.push_back(&job);
  std::stable_sort(longest.begin(), longest.end(),
                   [](const TimingJob *a, const TimingJob *b) { return a->nanoseconds > b->nanoseconds; });
  const size_t left_out = longest.size() - std::min(longest.size(), shown_jobs);
  longest.resize(longest.size() - left_out);
  size_t width = 3;
  bool has_shares = false;
  for (const TimingJob *job : longest) {
    width = std::max(width, job->name.size());
    has_shares |= share_of(*job) != 0;
  }
  auto shares = [&](const std::string &text) {
    return has_shares ? fmt::format(" {:>9}", text) : std::string();
  };
  std::string out = fmt::format("\n {:<{}}  {:<10} {:>7} {:>9}{}  {}\n", "Job", width, "target", "ncalls",
                                "time", shares("share"), "key");
  for (const TimingJob *job : longest)
    out += fmt::format(" {:<{}}  {:<10} {:>7} {:>9}{}  {}{}{}\n", job->name, width, job->target, job->calls,
                       time_text(double(job->nanoseconds)), shares(time_text(double(share_of(*job)))),
                       job->key, job->config.empty() ? "" : "  ", job->config);
  if (has_shares)
    out += " share: its part of assembling several jobs at once, by the size of its text; in time\n";
  if (left_out) out += fmt::format(" and {} more, which the JSON and the page have\n", left_out);
  return out;
}

static std::string warning_lines(const std::vector<TimingWarning> &warnings) {
  std::string out = warnings.empty() ? "" : "\n";
  for (const TimingWarning &w : warnings)
    out += fmt::format(" {}{}{}: {}\n", w.job, w.job.empty() || w.stage.empty() ? "" : ", ", w.stage, w.text);
  return out;
}

static std::string advice_lines(const TimingReport &report) {
  std::string out = report.has_advice ? "\n" : "";
  for (const TimingAdvice &a : report.advice) {
    const std::string place =
        a.file.empty() ? std::string() : fmt::format(", {}:{}:{}", a.file, a.line, a.column);
    out += fmt::format(" {}{}: advice: {}; {}\n", a.job, place, a.message, a.hint);
  }
  if (report.has_advice && report.advice.empty()) out += " advice: none\n";
  for (const TimingNotChecked &n : report.not_checked)
    out += fmt::format(" {}: advice not checked: {}\n", n.job, n.text);
  return out;
}

TimingReport TimingReport::of_job(const TimingJob &job) const {
  TimingReport report;
  report.title = job.target.empty() ? job.name : fmt::format("{} for {}", job.name, job.target);
  report.has_allocations = has_allocations;
  report.rows = job.rows;
  for (const TimingRow &row : job.rows)
    if (row.depth == 0) report.wall_nanoseconds += row.nanoseconds;
  for (const TimingKernel &kernel : kernels)
    if (kernel.job == job.name && (job.key.empty() || kernel.key == job.key))
      report.kernels.push_back(kernel);
  for (const TimingWarning &warning : warnings)
    if (warning.job == job.name) report.warnings.push_back(warning);
  auto is_of_job = [&](const auto &each) { return each.job == job.name && each.target == job.target; };
  report.has_advice = has_advice;
  std::ranges::copy_if(advice, std::back_inserter(report.advice), is_of_job);
  std::ranges::copy_if(not_checked, std::back_inserter(report.not_checked), is_of_job);
  report.jobs.push_back(job);
  return report;
}

std::string TimingReport::table() const {
  size_t name_width = 7;           // "Section"
  uint64_t bytes = 0, untimed = 0; // sum of the top-level rows; nanoseconds of the row `untimed`
  bool has_instructions = false;
  for (const TimingRow &row : rows) {
    name_width = std::max(name_width, row.name.size() + 2 * size_t(row.depth));
    has_instructions |= row.instructions_after != 0;
    if (row.depth != 0) continue;
    bytes += row.allocated.bytes;
    if (row.name == "untimed") untimed = row.nanoseconds;
  }
  struct Cells {
    std::string_view name, calls, time, share, self, average, memory, memory_share, memory_average,
        instructions;
  };
  // fmt::format pads text to a display width. The μ in a time has two bytes but counts as one column.
  auto line = [&](const Cells &c) {
    std::string out = fmt::format(" {:<{}}  {:>7} {:>9} {:>7} {:>9} {:>9}", c.name, name_width, c.calls,
                                  c.time, c.share, c.self, c.average);
    if (has_allocations)
      out += fmt::format("   {:>9} {:>7} {:>9}", c.memory, c.memory_share, c.memory_average);
    if (has_instructions) out += fmt::format("   {:>15}", c.instructions);
    while (out.ends_with(' ')) out.pop_back();
    return out + "\n";
  };
  const size_t width = name_width + 2 + 7 + 1 + 9 + 1 + 7 + 1 + 9 + 1 + 9 +
                       (has_allocations ? 3 + 9 + 1 + 7 + 1 + 9 : 0) + (has_instructions ? 3 + 15 : 0);

  std::string out = rule(width);
  out += fmt::format(
      " Tot / % measured: {} / {}", time_text(double(wall_nanoseconds)),
      percent_text(double(wall_nanoseconds - std::min(wall_nanoseconds, untimed)), double(wall_nanoseconds)));
  if (has_allocations) out += fmt::format(", {} allocated", memory_text(double(bytes)));
  out += "\n\n" +
         line({"Section", "ncalls", "time", "%tot", "self", "avg", "alloc", "%tot", "avg", "LLVM instrs"}) +
         rule(width);
  for (const TimingRow &row : rows) {
    const double calls = double(std::max<uint64_t>(row.calls, 1));
    const std::string instructions =
        row.instructions_after || row.instructions_before
            ? fmt::format("{} → {}", row.instructions_before, row.instructions_after)
            : std::string();
    out += line(
        {std::string(2 * size_t(row.depth), ' ') + row.name, std::to_string(row.calls),
         time_text(double(row.nanoseconds)), percent_text(double(row.nanoseconds), double(wall_nanoseconds)),
         time_text(double(row.self_nanoseconds)), time_text(double(row.nanoseconds) / calls),
         memory_text(double(row.allocated.bytes)), percent_text(double(row.allocated.bytes), double(bytes)),
         memory_text(double(row.allocated.bytes) / calls), instructions});
  }
  return out + rule(width) + job_table(jobs) + kernel_table(kernels) + execution_table(kernels) +
         warning_lines(warnings) + advice_lines(*this);
}

std::string TimingReport::short_table() const {
  constexpr size_t shown_rows = 10, max_width = 100;
  struct Line {
    uint64_t nanoseconds, calls;
    std::string stage;
  };
  std::vector<Line> lines;
  std::vector<std::string> path; // stage names from the outermost stage to this row
  uint64_t untimed = 0;
  for (const TimingRow &row : rows) {
    if (row.depth == 0 && row.name == "untimed") {
      untimed = row.nanoseconds;
      continue;
    }
    path.resize(std::min(path.size(), size_t(row.depth)));
    path.push_back(row.name);
    lines.push_back({row.self_nanoseconds, row.calls, fmt::format("{}", fmt::join(path, " > "))});
  }
  std::ranges::stable_sort(lines, std::greater<>(), &Line::nanoseconds);
  const auto wall = double(wall_nanoseconds);
  std::string out = fmt::format(" Wall time {}, untimed {} ({} of the wall time)\n\n", time_text(wall),
                                time_text(double(untimed)), percent_text(double(untimed), wall));
  out += fmt::format(" {:>9} {:>7} {:>7}  stage{}\n", "self", "%wall", "ncalls",
                     threads > 1 ? fmt::format(" (rows add up {} threads)", threads) : "");
  const size_t num_shown = std::min(lines.size(), shown_rows);
  for (const Line &line : std::span(lines).first(num_shown)) {
    const std::string figures = fmt::format(" {:>9} {:>7} {:>7}  ", time_text(double(line.nanoseconds)),
                                            percent_text(double(line.nanoseconds), wall), line.calls);
    constexpr size_t figures_width = 1 + 9 + 1 + 7 + 1 + 7 + 2;
    out += figures + shorten_start(line.stage, max_width - figures_width) + "\n";
  }
  uint64_t rest = 0;
  for (const Line &line : std::span(lines).subspan(num_shown)) rest += line.nanoseconds;
  if (lines.size() > num_shown)
    out += fmt::format(" {:>9} {:>7} {:>7}  {} more, with --timings=table\n", time_text(double(rest)),
                       percent_text(double(rest), wall), "", counted(lines.size() - num_shown, "stage"));
  return out + advice_lines(*this);
}

} // namespace kiln
