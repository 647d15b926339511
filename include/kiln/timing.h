// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing table: every stage of every job is timed through one choke point (driver's run_stage)
// or a StageScope, and what no stage covers shows as 'untimed'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Allocation counters of the calling thread. The library never replaces operator new: a program that
/// wants these columns counts in its own malloc hook and registers it (see set_allocation_counter).
struct AllocationCount {
  uint64_t count = 0;
  uint64_t bytes = 0;
};
using AllocationCounter = AllocationCount (*)() noexcept;

/// One row of the table, in the order stages were first entered; children follow their parent.
struct TimingRow {
  std::string name;
  int depth = 0;
  uint64_t calls = 0;
  uint64_t nanoseconds = 0;
  AllocationCount allocated;
};

/// A snapshot of what a session's timer holds.
struct TimingReport {
  uint64_t wall_nanoseconds = 0; ///< since the timer was enabled or reset, on the enabling thread
  std::vector<TimingRow> rows;   ///< depth first; the last row of depth 0 is "untimed"
  bool has_allocations = false;

  /// Section, ncalls, time, %tot, avg, alloc, %tot, avg: the layout known from GPUCompiler.
  std::string table() const;
  std::string json() const;
};

} // namespace kiln
