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
  auto line = [&](std::string_view name, std::string_view calls, std::string_view time, std::string_view share,
                  std::string_view average, std::string_view memory, std::string_view memory_share,
                  std::string_view memory_average) {
    std::string out = fmt::format(" {:<{}}  {:>7} {:>9} {:>7} {:>9}", name, name_width, calls, time, share, average);
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
                time_text(double(row.nanoseconds)), percent_text(double(row.nanoseconds), double(wall_nanoseconds)),
                time_text(double(row.nanoseconds) / calls), memory_text(double(row.allocated.bytes)),
                percent_text(double(row.allocated.bytes), double(bytes)),
                memory_text(double(row.allocated.bytes) / calls));
  }
  return out + rule(width);
}

std::string TimingReport::json() const {
  std::string out = fmt::format("{{\"wall_ns\": {}, \"rows\": [", wall_nanoseconds);
  for (size_t i = 0; i < rows.size(); ++i) {
    const TimingRow &row = rows[i];
    out += fmt::format("{}\n  {{\"name\": {}, \"depth\": {}, \"calls\": {}, \"ns\": {}", i ? "," : "",
                       json_string(row.name), row.depth, row.calls, row.nanoseconds);
    if (has_allocations)
      out += fmt::format(", \"allocations\": {}, \"allocated_bytes\": {}", row.allocated.count, row.allocated.bytes);
    out += "}";
  }
  return out + "\n]}\n";
}

} // namespace kiln
