// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing reports of many processes as one.
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
  uint64_t start = 0, end = 0, wait = 0, compile = 0; ///< nanoseconds since the process's start
};

/// A report, which is of one process.
struct FleetProcess {
  std::string file;
  std::string host, version, build, cpu, gpu, cache_folder;
  uint64_t process = 0;
  std::optional<uint64_t> rank;
  uint64_t start = 0; ///< nanoseconds since 1970, by the host's clock
  uint64_t wall = 0;
  std::vector<FleetProduct> products;
  std::map<std::string, uint64_t> counters; ///< of its session; empty: not known

  std::string address() const; ///< "host:4711"
  std::string label() const;   ///< "rank 3", or its address
  /// When its last product was there, in nanoseconds since its start.
  uint64_t ready() const;
};

struct Fleet {
  std::vector<FleetProcess> processes; ///< by rank, host and number
  std::vector<std::string> warnings;
  bool clocks_agree = true;
  uint64_t first_start = 0; ///< of all processes; only where the clocks agree

  /// Where a process's own zero stands on the common axis, in nanoseconds. Where the clocks disagree, each
  /// process has its own zero.
  uint64_t offset(const FleetProcess &process) const {
    return clocks_agree ? process.start - first_start : 0;
  }
  /// "rank 3" for "host:4711" where a report of that process is there.
  std::string name_of(const std::string &address) const;
};

/// Reads the reports of all files. What is no report, or a second one of a process, is added to `errors`.
Fleet read_fleet(const std::vector<std::string> &files, std::vector<Error> &errors);

/// One table of the summary. A number stands on the right.
struct FleetTable {
  std::string title, note;
  struct Column {
    std::string heading;
    bool is_text = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// What the reports say together: a line each.
std::vector<std::string> fleet_facts(const Fleet &fleet);
std::vector<FleetTable> fleet_tables(const Fleet &fleet);
std::string fleet_text(const Fleet &fleet);
std::string fleet_page(const Fleet &fleet); ///< HTML that needs nothing else

/// 12.3, of nanoseconds.
std::string milliseconds(uint64_t nanoseconds);

} // namespace kiln::tool
