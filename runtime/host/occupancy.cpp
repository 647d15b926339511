// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "occupancy.h"

#include <algorithm>
#include <array>

namespace kiln {
namespace {

struct Limits {
  int sm; ///< from this one on
  uint32_t warps, blocks, shared_kib;
  uint32_t reserved_shared; ///< that the system takes of each block
  uint32_t shared_unit;     ///< shared memory is given out in multiples of it
};
constexpr std::array limits{Limits{50, 64, 32, 64, 0, 256},     Limits{52, 64, 32, 96, 0, 256},
                            Limits{53, 64, 32, 64, 0, 256},     Limits{60, 64, 32, 64, 0, 256},
                            Limits{61, 64, 32, 96, 0, 256},     Limits{62, 64, 32, 64, 0, 256},
                            Limits{70, 64, 32, 96, 0, 256},     Limits{75, 32, 16, 64, 0, 256},
                            Limits{80, 64, 32, 164, 1024, 128}, Limits{86, 48, 16, 100, 1024, 128},
                            Limits{87, 48, 16, 164, 1024, 128}, Limits{89, 48, 24, 100, 1024, 128},
                            Limits{90, 64, 32, 228, 1024, 128}};

constexpr uint32_t Registers = 65536, RegisterUnit = 256, WarpSize = 32;
/// A multiprocessor has four parts, and a warp stays in one of them.
constexpr uint32_t Parts = 4;

uint64_t rounded_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

} // namespace

Occupancy occupancy(int sm, const KernelResources &kernel, uint32_t threads, uint64_t dynamic_shared) {
  const Limits *of = &limits[0];
  for (const Limits &each : limits)
    if (each.sm <= sm) of = &each;
  uint32_t warps = (std::max(threads, 1u) + WarpSize - 1) / WarpSize;
  Occupancy best{.blocks = of->blocks, .max_warps = of->warps, .limit = "blocks"};
  auto at_most = [&](uint64_t blocks, std::string_view limit) {
    if (blocks >= best.blocks) return;
    best.blocks = uint32_t(blocks);
    best.limit = limit;
  };
  at_most(of->warps / warps, "warps");
  if (kernel.registers) {
    uint64_t of_warp = rounded_up(uint64_t(kernel.registers) * WarpSize, RegisterUnit);
    uint64_t warps_that_fit = Registers / Parts / of_warp * Parts;
    at_most(warps_that_fit / warps, "registers");
  }
  if (uint64_t shared = kernel.shared_bytes + dynamic_shared; shared || of->reserved_shared)
    at_most(uint64_t(of->shared_kib) * 1024 / rounded_up(shared + of->reserved_shared, of->shared_unit),
            "shared memory");
  best.warps = best.blocks * warps;
  return best;
}

} // namespace kiln
