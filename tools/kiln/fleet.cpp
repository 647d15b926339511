// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the timing reports of many processes (a fleet), and checks that the clocks of their hosts agree.
#include "fleet.h"

#include "report_file.h"

#include <support/read_number.h>
#include <support/support.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace kiln::tool {

using Kind = JsonValue::Kind;

std::string FleetProcess::address() const { return fmt::format("{}:{}", host, process); }

std::string FleetProcess::label() const { return rank ? fmt::format("rank {}", *rank) : address(); }

uint64_t FleetProcess::ready() const {
  uint64_t last = 0;
  for (const FleetProduct &product : products) last = std::max(last, product.end);
  return last;
}

std::string Fleet::name_of(const std::string &address) const {
  for (const FleetProcess &each : processes)
    if (each.address() == address) return each.label();
  return address;
}

namespace {

constexpr std::string_view ways[] = {"compiled", "hedged", "joined", "process", "remote", "folder"};

Result<FleetProduct> read_product(const JsonValue &value, const std::string &job) {
  FleetProduct product;
  KILN_TRY(const std::string stage, text_member(value, "product"));
  product.name = fmt::format("{} {}", stage, job);
  KILN_TRY(product.key, text_member(value, "key"));
  KILN_TRY(product.found, text_member(value, "found"));
  KILN_TRY(product.waited_for, text_member(value, "waited_for"));
  KILN_TRY(product.start, number_member(value, "start_ns"));
  KILN_TRY(product.end, number_member(value, "end_ns"));
  KILN_TRY(product.wait, number_member(value, "wait_ns"));
  KILN_TRY(product.compile, number_member(value, "compile_ns"));
  if (std::ranges::find(ways, product.found) == std::end(ways))
    return no_report(fmt::format("`found` is `{}`, which this Kiln does not know", product.found), value.at);
  const uint64_t taken = product.end - std::min(product.start, product.end);
  if (product.start > product.end || product.wait > taken || product.compile > taken)
    return no_report("the times of a product do not fit together", value.at);
  return product;
}

Result<void> read_process(const JsonValue &value, FleetProcess &into) {
  const JsonValue *found = value.find("process");
  if (!found)
    return no_report("this report does not name its process: an older Kiln has written it", value.at);
  KILN_TRY(const JsonValue *process, member(value, "process", Kind::Object));
  KILN_TRY(into.host, text_member(*process, "host"));
  KILN_TRY(into.version, text_member(*process, "version"));
  KILN_TRY(into.process, number_member(*process, "process"));
  KILN_TRY(into.start, number_member(*process, "start_ns"));
  KILN_TRY(into.build, optional_text_member(*process, "build"));
  KILN_TRY(into.cpu, optional_text_member(*process, "cpu"));
  KILN_TRY(into.gpu, optional_text_member(*process, "gpu"));
  KILN_TRY(into.cache_folder, optional_text_member(*process, "cache_folder"));
  const JsonValue *rank = process->find("rank");
  if (rank && !rank->is(Kind::Null)) KILN_TRY(into.rank, number_member(*process, "rank"));
  return {};
}

Result<FleetProcess> read_report(const JsonValue &value, const std::string &file) {
  FleetProcess read{.file = file};
  KILN_CHECK(read_process(value, read));
  KILN_TRY(read.wall, number_member(value, "wall_ns"));
  KILN_TRY(const JsonValue *jobs, member(value, "jobs", Kind::Array));
  for (const JsonValue &job : jobs->items) {
    KILN_TRY(std::string name, text_member(job, "name"));
    KILN_TRY(const std::string target, text_member(job, "target"));
    if (!target.empty()) name += " for " + target;
    KILN_TRY(const JsonValue *products, member(job, "products", Kind::Array));
    for (const JsonValue &product : products->items) {
      KILN_TRY(FleetProduct each, read_product(product, name));
      read.products.push_back(std::move(each));
    }
  }
  if (const JsonValue *counters = value.find("counters"); counters && counters->is(Kind::Object))
    for (const JsonValue::Name &each : counters->names) {
      KILN_TRY(read.counters[each.text], number_member(*counters, each.text));
    }
  return read;
}

// ---- clocks

constexpr uint64_t second = 1'000'000'000;
constexpr uint64_t tolerance = 5 * second; ///< error of clocks, and delay until a compiled entry arrives
/// Maximum time within one run in which no process exists. After a longer pause, the clocks disagree or the
/// reports are of several runs.
constexpr uint64_t longest_gap = 60 * second;

/// Describes a wait for another process's compile that, by the hosts' clocks, does not overlap that compile.
/// Empty, if all waits are possible.
std::string impossible_wait(const Fleet &fleet) {
  std::map<std::pair<std::string, std::string>, std::pair<const FleetProcess *, const FleetProduct *>>
      compiles;
  for (const FleetProcess &process : fleet.processes)
    for (const FleetProduct &product : process.products)
      if (product.found == "compiled") compiles[{process.address(), product.key}] = {&process, &product};
  for (const FleetProcess &waiter : fleet.processes)
    for (const FleetProduct &joined : waiter.products) {
      const auto found = compiles.find({joined.waited_for, joined.key});
      if (joined.found != "joined" || found == compiles.end()) continue;
      const auto &[maker, made] = found->second;
      const uint64_t made_at = maker->start + made->end, came_at = waiter.start + joined.end;
      const uint64_t asked_at = waiter.start + joined.start;
      if (came_at + tolerance < made_at || asked_at > made_at + tolerance)
        return fmt::format("{} waited for {} while that compiled, and by their clocks at another time",
                           waiter.label(), maker->label());
    }
  return {};
}

/// Describes a pause of more than 60 s in which, by the hosts' clocks, no process ran. Empty, if there is
/// none.
std::string long_gap(const Fleet &fleet) {
  std::vector<const FleetProcess *> by_start;
  for (const FleetProcess &process : fleet.processes) by_start.push_back(&process);
  std::ranges::stable_sort(by_start, {}, &FleetProcess::start);
  uint64_t last_end = by_start.empty() ? 0 : by_start.front()->start;
  for (const FleetProcess *process : by_start) {
    if (process->start > last_end + longest_gap)
      return fmt::format("{} started {} s after all others had ended", process->label(),
                         (process->start - last_end) / second);
    last_end = std::max(last_end, process->start + process->wall);
  }
  return {};
}

void compare_clocks(Fleet &fleet) {
  std::string why = impossible_wait(fleet);
  if (why.empty()) why = long_gap(fleet);
  fleet.clocks_agree = why.empty();
  if (!why.empty())
    fleet.warnings.push_back("the clocks of the hosts disagree, or the reports are of several runs: " + why +
                             "; times count from each process's own start");
  for (const FleetProcess &process : fleet.processes)
    if (&process == &fleet.processes.front() || process.start < fleet.first_start)
      fleet.first_start = process.start;
}

void compare_builds(Fleet &fleet) {
  std::set<std::string> builds;
  std::map<uint64_t, std::string> ranks;
  for (const FleetProcess &process : fleet.processes) {
    builds.insert(fmt::format("{} {}", process.version, process.build));
    if (!process.rank) continue;
    const auto [first, is_new] = ranks.try_emplace(*process.rank, process.address());
    if (!is_new)
      fleet.warnings.push_back(fmt::format("two processes are rank {}: {} and {}", *process.rank,
                                           first->second, process.address()));
  }
  if (builds.size() > 1)
    fleet.warnings.push_back(fmt::format("the reports are of {} builds of Kiln, which share no entries: {}",
                                         builds.size(), fmt::join(builds, ", ")));
}

} // namespace

Fleet read_fleet(const std::vector<std::string> &files, std::vector<Error> &errors) {
  Fleet fleet;
  std::map<std::tuple<std::string, uint64_t, uint64_t>, std::string> seen;
  auto add = [&](const JsonValue &value, const std::string &file) -> Result<void> {
    KILN_TRY(FleetProcess read, read_report(value, file));
    const auto [first, is_new] = seen.try_emplace({read.host, read.process, read.start}, file);
    if (!is_new)
      return input_error(fmt::format("a second report of the process {}: {} has the first", read.address(),
                                     first->second == file ? "this file" : first->second),
                         value.at, "the first one is merged");
    fleet.processes.push_back(std::move(read));
    return {};
  };
  for (const std::string &file : files)
    read_reports(file, [&](Result<const JsonValue *> report) {
      Result<void> added = report.ok() ? add(**report, file) : Result<void>(report.take_error());
      if (!added.ok()) errors.push_back(added.take_error());
    });
  std::ranges::stable_sort(fleet.processes, {}, [](const FleetProcess &each) {
    return std::tuple(each.rank.value_or(UINT64_MAX), each.host, each.process);
  });
  compare_clocks(fleet);
  compare_builds(fleet);
  return fleet;
}

} // namespace kiln::tool
