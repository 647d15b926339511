// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "occupancy.h"

#include <architectures/architectures.h>

#include <algorithm>

namespace kiln {
namespace {

constexpr uint32_t RegisterUnit = 256, WarpSize = 32;
/// Number of partitions of a multiprocessor. A warp stays in one partition.
constexpr uint32_t Parts = 4;

uint64_t rounded_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

} // namespace

Occupancy occupancy(int sm, const KernelResources &kernel, uint32_t threads, uint64_t dynamic_shared) {
  const GpuLimits &limits = architecture_up_to(sm).limits;
  uint32_t warps = (std::max(threads, 1u) + WarpSize - 1) / WarpSize;
  Occupancy best{.blocks = limits.blocks, .max_warps = limits.warps, .limit = "blocks"};
  auto limit_blocks = [&](uint64_t blocks, std::string_view limit) {
    if (blocks >= best.blocks) return;
    best.blocks = uint32_t(blocks);
    best.limit = limit;
  };
  limit_blocks(limits.warps / warps, "warps");
  if (kernel.registers) {
    uint64_t of_warp = rounded_up(uint64_t(kernel.registers) * WarpSize, RegisterUnit);
    uint64_t warps_that_fit = multiprocessor_registers / Parts / of_warp * Parts;
    limit_blocks(warps_that_fit / warps, "registers");
  }
  if (uint64_t shared = kernel.shared_bytes + dynamic_shared; shared || limits.reserved_shared)
    limit_blocks(uint64_t(limits.shared_kib) * 1024 /
                     rounded_up(shared + limits.reserved_shared, limits.shared_unit),
                 "shared memory");
  best.warps = best.blocks * warps;
  return best;
}

} // namespace kiln
