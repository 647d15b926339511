// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines timing reports of many processes.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

/// A TimingProduct of a report.
struct FleetProduct {
  std::string name; ///< product, job and target
  std::string key, found, waited_for;
  uint64_t start = 0, end = 0, wait = 0,
           compile = 0; ///< nanoseconds; start and end since the process's start
};

/// The report of one process.
struct FleetProcess {
  std::string file;
  std::string host, version, build, cpu, gpu, cache_folder;
  uint64_t process = 0;
  std::optional<uint64_t> rank;
  uint64_t start = 0; ///< nanoseconds since 1970, by the host's clock
  uint64_t wall = 0;
  std::vector<FleetProduct> products;
  std::map<std::string, uint64_t> counters; ///< of its session; empty: unknown

  std::string address() const; ///< "host:4711"
  std::string label() const;   ///< "rank 3", or its address
  /// Time when its last product was ready, in nanoseconds since its start.
  uint64_t ready() const;
};

struct Fleet {
  std::vector<FleetProcess> processes; ///< by rank, host and number
  std::vector<std::string> warnings;
  bool clocks_agree = true;
  uint64_t first_start = 0; ///< of all processes; valid if the clocks agree

  /// Position of the process's zero on the common axis, in nanoseconds. If the clocks disagree, every process
  /// starts at zero.
  uint64_t offset(const FleetProcess &process) const {
    return clocks_agree ? process.start - first_start : 0;
  }
  /// "rank 3" for "host:4711" if the fleet has a report of that process.
  std::string name_of(const std::string &address) const;
};

/// Reads the reports of all files. Files without a report, and duplicate reports of a process, are added to
/// `errors`.
Fleet read_fleet(const std::vector<std::string> &files, std::vector<Error> &errors);

/// One table of the summary. Numbers are right-aligned.
struct FleetTable {
  std::string title, note;
  struct Column {
    std::string heading;
    bool is_text = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Facts about the whole fleet, one line each.
std::vector<std::string> fleet_facts(const Fleet &fleet);
std::vector<FleetTable> fleet_tables(const Fleet &fleet);
std::string fleet_text(const Fleet &fleet);
std::string fleet_page(const Fleet &fleet); ///< self-contained HTML

/// Formats nanoseconds as milliseconds: "12.3".
std::string milliseconds(uint64_t nanoseconds);

} // namespace kiln::tool
