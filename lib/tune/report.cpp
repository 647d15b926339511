// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats the report of a search, as text and as JSON.
#include "tune.h"

#include <support/count.h>
#include <support/support.h>

#include <algorithm>
#include <numeric>

namespace kiln {

namespace {

std::string time_text(double nanoseconds) {
  if (nanoseconds <= 0) return "-";
  if (nanoseconds < 1e6) return fmt::format("{:.2f} us", nanoseconds / 1e3);
  return fmt::format("{:.3f} ms", nanoseconds / 1e6);
}

std::string extents_text(const std::array<uint32_t, 3> &extents) {
  if (extents[1] == 1 && extents[2] == 1) return fmt::format("{}", extents[0]);
  if (extents[2] == 1) return fmt::format("{},{}", extents[0], extents[1]);
  return fmt::format("{},{},{}", extents[0], extents[1], extents[2]);
}

/// Order of candidates in the report: fastest first, then those without a time in their original order.
std::vector<size_t> order_of(const TuneResult &result) {
  std::vector<size_t> order(result.candidates.size());
  std::iota(order.begin(), order.end(), size_t(0));
  auto time = [&](size_t i) {
    const TuneCandidate &c = result.candidates[i];
    const bool counts =
        c.state == TuneState::Measured || c.state == TuneState::Dropped || c.state == TuneState::Ready;
    return counts && c.nanoseconds > 0 ? c.nanoseconds : HUGE_VAL;
  };
  std::ranges::stable_sort(order, {}, time);
  return order;
}

/// Formats rows with columns of equal width. The last column is not padded.
std::string aligned(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); i++) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string out;
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); i++)
      line += i + 1 == row.size() ? row[i] : fmt::format("{:>{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

template <class List> std::string numbers_json(const List &list) {
  std::string out;
  for (const auto &each : list) out += fmt::format("{}{}", out.empty() ? "" : ", ", each);
  return "[" + out + "]";
}

} // namespace

std::string KILN_API_VERSION::tune_table(const TuneResult &result) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> head = result.parameters;
  const bool has_ceiling = result.ceiling > 0, has_flops = result.flops > 0;
  const bool is_gpu = std::ranges::any_of(result.candidates,
                                          [](const TuneCandidate &c) { return c.resources.registers > 0; });
  for (const char *name : {"time", "+-", "GB/s"}) head.emplace_back(name);
  if (has_ceiling) head.emplace_back("ceiling");
  if (has_flops) head.emplace_back("GFLOP/s");
  head.insert(head.end(), {"threads", "blocks", "shared"});
  if (is_gpu) head.insert(head.end(), {"regs", "spills", "occupancy"});
  head.emplace_back("");
  rows.push_back(head);
  for (size_t i : order_of(result)) {
    const TuneCandidate &c = result.candidates[i];
    const bool has_time = c.nanoseconds > 0;
    const double rate = has_time ? result.bytes / c.nanoseconds : 0; // GB/s
    std::vector<std::string> row = c.values;
    row.push_back(time_text(c.nanoseconds));
    row.push_back(has_time ? fmt::format("{:.1f} %", 100 * c.noise) : "");
    row.push_back(has_time ? fmt::format("{:.1f}", rate) : "");
    if (has_ceiling) row.push_back(has_time ? fmt::format("{:.1f} %", 1e11 * rate / result.ceiling) : "");
    if (has_flops) row.push_back(has_time ? fmt::format("{:.1f}", result.flops / c.nanoseconds) : "");
    row.push_back(extents_text(c.shape.threads));
    row.push_back(extents_text(c.shape.blocks));
    row.push_back(fmt::format("{}", c.shape.shared_bytes + c.resources.shared_bytes));
    if (is_gpu) {
      row.push_back(fmt::format("{}", c.resources.registers));
      row.push_back(fmt::format("{}", c.resources.spill_store_bytes + c.resources.spill_load_bytes));
      row.push_back(c.occupancy < 0 ? "" : fmt::format("{:.0f} % {}", 100 * c.occupancy, c.occupancy_limit));
    }
    std::string state(i == result.winner ? "winner" : tune_state_name(c.state));
    if (c.state == TuneState::Dropped) state += fmt::format(" after {}", counted(c.samples.size(), "round"));
    if (c.is_recorded) state += ", recorded";
    if (!c.reason.empty()) state += ": " + c.reason;
    row.push_back(std::move(state));
    rows.push_back(std::move(row));
  }
  std::string out = fmt::format("{}; {}\n", result.device, result.shape_class);
  if (has_ceiling)
    out += fmt::format("ceiling: {:.1f} GB/s, a copy kernel of 16 bytes a thread\n", result.ceiling / 1e9);
  out += fmt::format("noise of a sample: {:.2f} %; {}; {:.0f} bytes a launch\n\n", 100 * result.noise,
                     counted(result.rounds, "round"), result.bytes);
  return out + aligned(rows);
}

std::string KILN_API_VERSION::tune_json(const TuneResult &result) {
  std::string out = "{\"kiln_tune\": 1, \"parameters\": [";
  for (size_t i = 0; i < result.parameters.size(); i++)
    out += fmt::format("{}{}", i ? ", " : "", json_string(result.parameters[i]));
  out += fmt::format(
      "], \"device\": {}, \"shape_class\": {}, \"winner\": {}, \"bytes\": {}, \"flops\": {}, \"ceiling\": {}, \"noise\": {}, "
      "\"compiled\": {}, \"measured\": {}, \"excluded\": {}, \"rounds\": {}, \"seconds\": {}, \"compile_seconds\": {}, "
      "\"check_seconds\": {}, \"measure_seconds\": {}, \"candidates\": [",
      json_string(result.device), json_string(result.shape_class),
      result.winner ? std::to_string(*result.winner) : "null", result.bytes, result.flops, result.ceiling,
      result.noise, result.compiled, result.measured, result.excluded, result.rounds, result.seconds,
      result.compile_seconds, result.check_seconds, result.measure_seconds);
  for (size_t i = 0; i < result.candidates.size(); i++) {
    const TuneCandidate &c = result.candidates[i];
    const KernelResources &r = c.resources;
    out += fmt::format("{}\n  {{\"values\": {{", i ? "," : "");
    for (size_t p = 0; p < c.values.size(); p++)
      out +=
          fmt::format("{}{}: {}", p ? ", " : "", json_string(result.parameters[p]), json_string(c.values[p]));
    out += fmt::format(
        "}}, \"state\": {}, \"reason\": {}, \"threads\": {}, \"blocks\": {}, \"shmem\": {}, \"ns\": {}, \"noise\": {}, "
        "\"samples\": {}, \"registers\": {}, \"spill_bytes\": {}, \"static_shared_bytes\": {}, \"occupancy\": {}, "
        "\"occupancy_limit\": {}, \"recorded\": {}}}",
        json_string(tune_state_name(c.state)), json_string(c.reason), numbers_json(c.shape.threads),
        numbers_json(c.shape.blocks), c.shape.shared_bytes, c.nanoseconds, c.noise, numbers_json(c.samples),
        r.registers, r.spill_store_bytes + r.spill_load_bytes, r.shared_bytes, c.occupancy,
        json_string(c.occupancy_limit), c.is_recorded);
  }
  return out + "\n]}\n";
}

} // namespace kiln
