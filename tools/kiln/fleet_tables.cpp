// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fleet.h"

#include <support/count.h>
#include <support/support.h>

#include <algorithm>
#include <functional>
#include <set>

namespace kiln::tool {

std::string milliseconds(uint64_t nanoseconds) { return fmt::format("{:.1f}", double(nanoseconds) / 1e6); }

namespace {

constexpr size_t num_slowest = 20;

struct Use {
  const FleetProcess *process;
  const FleetProduct *product;
};

/// All uses of one cache key by the processes of the fleet.
struct Key {
  std::string name;
  std::vector<Use> compiles;
  std::vector<Use> waits;
  uint64_t hits = 0; ///< number of uses that needed neither a compile nor a wait
  uint64_t waited = 0;
};

std::map<std::string, Key> keys_of(const Fleet &fleet) {
  std::map<std::string, Key> keys;
  for (const FleetProcess &process : fleet.processes)
    for (const FleetProduct &product : process.products) {
      Key &key = keys[product.key];
      key.name = product.name;
      key.waited += product.wait;
      if (product.found == "compiled") key.compiles.push_back({&process, &product});
      if (product.wait != 0) key.waits.push_back({&process, &product});
      if (product.found != "compiled" && product.wait == 0) key.hits++;
    }
  return keys;
}

/// Names the processes of these uses: "rank 3", "rank 3, rank 5" or "rank 3 and 4 more".
std::string names(const std::vector<Use> &uses) {
  if (uses.empty()) return "nobody here";
  std::string out = uses[0].process->label();
  if (uses.size() == 2) return out + ", " + uses[1].process->label();
  return uses.size() == 1 ? out : fmt::format("{} and {} more", out, uses.size() - 1);
}

uint64_t count(const FleetProcess &process, std::initializer_list<std::string_view> ways) {
  return uint64_t(std::ranges::count_if(process.products, [&](const FleetProduct &product) {
    return std::ranges::find(ways, product.found) != ways.end();
  }));
}

FleetTable process_table(const Fleet &fleet) {
  FleetTable table{"Processes",
                   fleet.clocks_agree
                       ? "start and ready: since the first process started; waited: all threads"
                       : "ready: since the process's own start; waited: all threads",
                   {{"process", true},
                    {"host", true},
                    {"GPU", true},
                    {"start ms"},
                    {"ready ms"},
                    {"compiled"},
                    {"hedged"},
                    {"joined"},
                    {"found"},
                    {"waited ms"}},
                   {}};
  for (const FleetProcess &each : fleet.processes) {
    uint64_t waited = 0;
    for (const FleetProduct &product : each.products) waited += product.wait;
    const uint64_t offset = fleet.offset(each);
    table.rows.push_back({each.label(), each.host, each.gpu.empty() ? "-" : each.gpu,
                          fleet.clocks_agree ? milliseconds(offset) : "-",
                          milliseconds(offset + each.ready()), std::to_string(count(each, {"compiled"})),
                          std::to_string(count(each, {"hedged"})), std::to_string(count(each, {"joined"})),
                          std::to_string(count(each, {"folder", "process", "remote"})),
                          milliseconds(waited)});
  }
  return table;
}

FleetTable key_table(const std::map<std::string, Key> &keys) {
  FleetTable table{"Products",
                   "the longest wait in total first",
                   {{"product", true},
                    {"compiled by", true},
                    {"compile ms"},
                    {"waited"},
                    {"waits ms"},
                    {"found"},
                    {"key", true}},
                   {}};
  std::vector<std::pair<std::string, const Key *>> sorted;
  for (const auto &[key, uses] : keys) sorted.emplace_back(key, &uses);
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto &each) { return each.second->waited; });
  for (const auto &[key, uses] : sorted)
    table.rows.push_back({uses->name, names(uses->compiles),
                          uses->compiles.empty() ? "-" : milliseconds(uses->compiles[0].product->compile),
                          std::to_string(uses->waits.size()), milliseconds(uses->waited),
                          std::to_string(uses->hits), key});
  return table;
}

FleetTable twice_table(const std::map<std::string, Key> &keys) {
  FleetTable table{"Compiled more than once",
                   "time: of all compiles but the longest",
                   {{"product", true}, {"times"}, {"time ms"}, {"by", true}, {"key", true}},
                   {}};
  for (const auto &[key, uses] : keys) {
    if (uses.compiles.size() < 2) continue;
    uint64_t sum = 0, longest = 0;
    for (const Use &use : uses.compiles) {
      sum += use.product->compile;
      longest = std::max(longest, use.product->compile);
    }
    table.rows.push_back({uses.name, std::to_string(uses.compiles.size()), milliseconds(sum - longest),
                          names(uses.compiles), key});
  }
  return table;
}

FleetTable wait_table(const Fleet &fleet) {
  FleetTable table{"Waits",
                   "the longest in total first",
                   {{"process", true}, {"waited for", true}, {"times"}, {"total ms"}, {"longest ms"}},
                   {}};
  struct Sum {
    uint64_t times = 0, total = 0, longest = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  for (const FleetProcess &process : fleet.processes)
    for (const FleetProduct &product : process.products) {
      if (product.wait == 0) continue;
      const std::string holder = product.found == "process"   ? "a process of " + process.host
                                 : product.waited_for.empty() ? "not known"
                                                              : fleet.name_of(product.waited_for);
      Sum &sum = sums[{process.label(), holder}];
      sum.times++;
      sum.total += product.wait;
      sum.longest = std::max(sum.longest, product.wait);
    }
  std::vector<std::pair<std::pair<std::string, std::string>, Sum>> sorted(sums.begin(), sums.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto &each) { return each.second.total; });
  for (const auto &[who, sum] : sorted)
    table.rows.push_back({who.first, who.second, std::to_string(sum.times), milliseconds(sum.total),
                          milliseconds(sum.longest)});
  return table;
}

FleetTable slowest_table(const Fleet &fleet) {
  FleetTable table{"Slowest",
                   fmt::format("the {} that took longest, from the question to the product", num_slowest),
                   {{"process", true},
                    {"product", true},
                    {"how", true},
                    {"total ms"},
                    {"wait ms"},
                    {"compile ms"},
                    {"waited for", true}},
                   {}};
  std::vector<Use> all;
  for (const FleetProcess &process : fleet.processes)
    for (const FleetProduct &product : process.products) all.push_back({&process, &product});
  std::ranges::stable_sort(all, std::greater<>(),
                           [](const Use &use) { return use.product->end - use.product->start; });
  all.resize(std::min(all.size(), num_slowest));
  for (const auto &[process, product] : all)
    table.rows.push_back({process->label(), product->name, product->found,
                          milliseconds(product->end - product->start), milliseconds(product->wait),
                          milliseconds(product->compile),
                          product->waited_for.empty() ? "-" : fleet.name_of(product->waited_for)});
  return table;
}

FleetTable counter_table(const Fleet &fleet) {
  FleetTable table{"Counters of all sessions", "", {{"counter", true}, {"sum"}}, {}};
  std::map<std::string, uint64_t> sums;
  for (const FleetProcess &process : fleet.processes)
    for (const auto &[name, value] : process.counters) sums[name] += value;
  for (const auto &[name, value] : sums) table.rows.push_back({name, std::to_string(value)});
  return table;
}

struct Range {
  uint64_t least = UINT64_MAX, most = 0;
  void add(uint64_t value) { least = std::min(least, value), most = std::max(most, value); }
};

} // namespace

std::vector<std::string> fleet_facts(const Fleet &fleet) {
  std::set<std::string> hosts, keys, builds;
  std::map<std::string_view, uint64_t> ways;
  uint64_t products = 0;
  Range starts, ready;
  for (const FleetProcess &process : fleet.processes) {
    hosts.insert(process.host);
    builds.insert(
        fmt::format("Kiln {}{}{}", process.version, process.build.empty() ? "" : ", build ", process.build));
    starts.add(fleet.offset(process));
    ready.add(fleet.offset(process) + process.ready());
    products += process.products.size();
    for (const FleetProduct &product : process.products) {
      keys.insert(product.key);
      ways[product.found]++;
    }
  }
  std::string found;
  for (const auto &[way, count] : ways) found += fmt::format(", {} {}", count, way);
  std::vector<std::string> facts = {
      fmt::format("{} on {}, {}; {}", counted(fleet.processes.size(), "process", "processes"),
                  counted(hosts.size(), "host"), counted(keys.size(), "key"), fmt::join(builds, "; ")),
      counted(products, "product") + found};
  if (fleet.processes.empty()) return facts;
  facts.push_back(
      fleet.clocks_agree
          ? fmt::format("starts within {} ms; last ready {} ms after the first start, {} ms after the "
                        "first ready",
                        milliseconds(starts.most - starts.least), milliseconds(ready.most),
                        milliseconds(ready.most - ready.least))
          : fmt::format("ready {} to {} ms after each process's own start", milliseconds(ready.least),
                        milliseconds(ready.most)));
  return facts;
}

std::vector<FleetTable> fleet_tables(const Fleet &fleet) {
  const std::map<std::string, Key> keys = keys_of(fleet);
  return {process_table(fleet), key_table(keys),      twice_table(keys),
          wait_table(fleet),    slowest_table(fleet), counter_table(fleet)};
}

static std::string text_of(const FleetTable &table) {
  std::string out = fmt::format("\n{}{}{}\n", table.title, table.note.empty() ? "" : ": ", table.note);
  if (table.rows.empty()) return out + "  none\n";
  std::vector<size_t> widths;
  for (const auto &column : table.columns) widths.push_back(column.heading.size());
  for (const auto &row : table.rows)
    for (size_t i = 0; i < row.size(); i++) widths[i] = std::max(widths[i], row[i].size());
  auto add = [&](size_t i, std::string_view cell) {
    out += table.columns[i].is_text ? fmt::format("  {:<{}}", cell, widths[i])
                                    : fmt::format("  {:>{}}", cell, widths[i]);
  };
  auto end_line = [&] {
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  for (size_t i = 0; i < widths.size(); i++) add(i, table.columns[i].heading);
  end_line();
  for (const auto &row : table.rows) {
    for (size_t i = 0; i < row.size(); i++) add(i, row[i]);
    end_line();
  }
  return out;
}

std::string fleet_text(const Fleet &fleet) {
  std::string out;
  for (const std::string &fact : fleet_facts(fleet)) out += fact + "\n";
  for (const std::string &warning : fleet.warnings) out += "warning: " + warning + "\n";
  for (const FleetTable &table : fleet_tables(fleet)) out += text_of(table);
  return out;
}

} // namespace kiln::tool
