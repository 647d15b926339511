// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json.h"

#include <kiln/timing.h>

#include <algorithm>
#include <fmt/format.h>

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

/// Empty without kernels.
static std::string kernel_table(const std::vector<TimingKernel> &kernels) {
  if (kernels.empty()) return {};
  size_t name_width = 6;
  for (const TimingKernel &kernel : kernels) name_width = std::max(name_width, kernel.name.size());
  std::string out = fmt::format("\n {:<{}}  {:>9} {:>7} {:>6} {:>7} {:>6} {:>8} {:>7} {:>9}  {}\n", "Kernel",
                                name_width, "registers", "spilled", "stack", "shared", "const", "launches",
                                "threads", "occupancy", "limit, assembler");
  for (const TimingKernel &k : kernels) {
    std::string shared = k.dynamic_shared_bytes ? fmt::format("{}+{}", k.shared_bytes, k.dynamic_shared_bytes)
                                                : std::to_string(k.shared_bytes);
    out += fmt::format(" {:<{}}  {:>9} {:>6}B {:>5}B {:>6}B {:>5}B {:>8} {:>7} {:>9}  {}{}{}\n", k.name,
                       name_width, k.registers, k.spilled_bytes, k.stack_bytes, shared, k.constant_bytes,
                       k.launches, k.launches ? std::to_string(k.threads) : "-",
                       k.launches ? fmt::format("{:.0f}%", 100 * k.occupancy) : "-", k.limit,
                       k.limit.empty() ? "" : ", ", k.assembler);
  }
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
  report.jobs.push_back(job);
  return report;
}

std::string TimingReport::table() const {
  size_t name_width = 7; // "Section"
  uint64_t bytes = 0, measured = 0;
  for (const TimingRow &row : rows) {
    name_width = std::max(name_width, row.name.size() + 2 * size_t(row.depth));
    if (row.depth != 0) continue;
    bytes += row.allocated.bytes;
    if (row.name != "untimed") measured += row.nanoseconds;
  }
  // fmt pads by display width, so the μ of a time counts once.
  auto line = [&](std::string_view name, std::string_view calls, std::string_view time,
                  std::string_view share, std::string_view average, std::string_view memory,
                  std::string_view memory_share, std::string_view memory_average) {
    std::string out =
        fmt::format(" {:<{}}  {:>7} {:>9} {:>7} {:>9}", name, name_width, calls, time, share, average);
    if (has_allocations) out += fmt::format("   {:>9} {:>7} {:>9}", memory, memory_share, memory_average);
    return out + "\n";
  };
  size_t width = name_width + 2 + 7 + 1 + 9 + 1 + 7 + 1 + 9 + (has_allocations ? 3 + 9 + 1 + 7 + 1 + 9 : 0);

  std::string out = rule(width);
  out += fmt::format(" Tot / % measured: {} / {}", time_text(double(wall_nanoseconds)),
                     percent_text(double(measured), double(wall_nanoseconds)));
  if (has_allocations) out += fmt::format(", {} allocated", memory_text(double(bytes)));
  out += "\n\n" + line("Section", "ncalls", "time", "%tot", "avg", "alloc", "%tot", "avg") + rule(width);
  for (const TimingRow &row : rows) {
    double calls = double(std::max<uint64_t>(row.calls, 1));
    out += line(std::string(2 * size_t(row.depth), ' ') + row.name, std::to_string(row.calls),
                time_text(double(row.nanoseconds)),
                percent_text(double(row.nanoseconds), double(wall_nanoseconds)),
                time_text(double(row.nanoseconds) / calls), memory_text(double(row.allocated.bytes)),
                percent_text(double(row.allocated.bytes), double(bytes)),
                memory_text(double(row.allocated.bytes) / calls));
  }
  return out + rule(width) + kernel_table(kernels);
}

std::string TimingReport::json() const {
  std::string out = fmt::format("{{\"wall_ns\": {}, \"rows\": [", wall_nanoseconds);
  for (size_t i = 0; i < rows.size(); ++i) {
    const TimingRow &row = rows[i];
    out += fmt::format("{}\n  {{\"name\": {}, \"depth\": {}, \"calls\": {}, \"ns\": {}", i ? "," : "",
                       json_string(row.name), row.depth, row.calls, row.nanoseconds);
    if (has_allocations)
      out += fmt::format(", \"allocations\": {}, \"allocated_bytes\": {}", row.allocated.count,
                         row.allocated.bytes);
    out += "}";
  }
  out += "\n], \"kernels\": [";
  for (const TimingKernel &k : kernels) {
    out += fmt::format(
        "{}\n  {{\"name\": {}, \"assembler\": {}, \"registers\": {}, \"spilled_bytes\": {}, \"stack_bytes\": {}, \"shared_bytes\": {}, \"constant_bytes\": {}, \"launches\": {}",
        &k == &kernels[0] ? "" : ",", json_string(k.name), json_string(k.assembler), k.registers,
        k.spilled_bytes, k.stack_bytes, k.shared_bytes, k.constant_bytes, k.launches);
    if (k.launches)
      out +=
          fmt::format(", \"threads\": {}, \"dynamic_shared_bytes\": {}, \"occupancy\": {:.4f}, \"limit\": {}",
                      k.threads, k.dynamic_shared_bytes, k.occupancy, json_string(k.limit));
    out += "}";
  }
  return out + "\n]}\n";
}

} // namespace kiln
