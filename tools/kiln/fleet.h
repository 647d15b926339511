// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines the timing reports of many processes (a fleet) for kiln timings merge.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

/// A compiled product that a process used, and how it got it (TimingProduct, kiln/timing.h).
struct FleetProduct {
  std::string name; ///< "product job target" as text
  std::string key, found, waited_for;
  uint64_t start = 0, end = 0, wait = 0,
           compile = 0; ///< nanoseconds; start and end count from the process's start
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
  std::map<std::string, uint64_t> counters; ///< statistics of its session by name; empty: not in the report

  std::string address() const; ///< "host:4711"
  std::string label() const;   ///< "rank 3", or its address
  /// Nanoseconds from the process's start until its last product was ready.
  uint64_t ready() const;
};

struct Fleet {
  std::vector<FleetProcess> processes; ///< sorted by rank, host and process id
  std::vector<std::string> warnings;
  bool clocks_agree = true;
  uint64_t first_start = 0; ///< earliest process start, ns since 1970; valid if clocks_agree

  /// Returns the nanoseconds from the first process's start to this process's start. If the clocks disagree,
  /// returns 0 for every process.
  uint64_t offset(const FleetProcess &process) const {
    return clocks_agree ? process.start - first_start : 0;
  }
  /// Returns the label of the process with this address, such as "rank 3" for "host:4711". Without a report
  /// of that process, returns the address.
  std::string name_of(const std::string &address) const;
};

/// Reads the timing reports of all files. Adds an error to `errors` for each file without a report and for
/// each second report of a process.
Fleet read_fleet(const std::vector<std::string> &files, std::vector<Error> &errors);

/// A table of the fleet's summary. Columns of numbers are right-aligned.
struct FleetTable {
  std::string title, note;
  struct Column {
    std::string heading;
    bool is_text = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Returns the totals of the fleet, such as its number of processes and compiles, one line each.
std::vector<std::string> fleet_facts(const Fleet &fleet);
std::vector<FleetTable> fleet_tables(const Fleet &fleet);
std::string fleet_text(const Fleet &fleet);
std::string fleet_page(const Fleet &fleet); ///< self-contained HTML

/// Formats nanoseconds as milliseconds: "12.3".
std::string milliseconds(uint64_t nanoseconds);

} // namespace kiln::tool
