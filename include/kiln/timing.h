// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing table: every stage of every job is timed through one choke point (driver's run_stage)
// or a StageScope, and what no stage covers shows as 'untimed'.
#pragma once

#include <kiln/export.h>

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

/// A kernel for a GPU that was compiled, found or launched while the timer was on. Bytes and registers of a
/// thread, but shared memory of a block.
struct TimingKernel {
  std::string name, assembler;
  uint32_t registers = 0, spilled_bytes = 0, stack_bytes = 0, shared_bytes = 0, constant_bytes = 0;
  uint64_t launches = 0; ///< 0: what follows is unknown
  uint32_t threads = 0;  ///< of a block, at the last launch
  uint64_t dynamic_shared_bytes = 0;
  double occupancy = 0; ///< of a multiprocessor's warps, at the last launch: 0 to 1
  std::string limit;    ///< what holds it there: registers, shared memory, warps or blocks
};

/// A snapshot of what a session's timer holds.
struct KILN_API TimingReport {
  uint64_t wall_nanoseconds = 0; ///< since the timer was enabled or reset, on the enabling thread
  std::vector<TimingRow> rows;   ///< depth first; the last row of depth 0 is "untimed"
  bool has_allocations = false;
  std::vector<TimingKernel> kernels; ///< by name

  /// Section, ncalls, time, %tot, avg, alloc, %tot, avg: the layout known from GPUCompiler; below it the
  /// kernels.
  std::string table() const;
  std::string json() const;
};

} // namespace kiln
