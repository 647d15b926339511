// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "architectures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kiln::ptx {

Result<void> check_architecture(PtxOptions &options) {
  if (options.arch_specific && options.family_specific)
    return usage_error("an architecture is specific to a chip (arch_specific) or to a family "
                       "(family_specific), not both");
  const GpuArch arch = arch_of(options);
  KILN_CHECK(check_known(arch));
  if (options.ptx_isa == 0) options.ptx_isa = default_isa(arch);
  if (!find_isa(options.ptx_isa))
    return usage_error(
        fmt::format("there is no PTX ISA {}; allowed are {}", isa_text(options.ptx_isa), list_isas()));
  if (const int least = first_isa(arch); options.ptx_isa < least)
    return usage_error(fmt::format("{} needs PTX ISA {} or newer, not {}", arch_name(arch), isa_text(least),
                                   isa_text(options.ptx_isa)));
  return {};
}

Result<void> check_launch_bounds(const PtxOptions &options) {
  struct Bound {
    const char *name;
    const std::array<uint32_t, 3> &threads;
  };
  for (const Bound &bound :
       {Bound{"maxthreads", options.max_threads}, Bound{"required threads", options.required_threads}}) {
    const auto &[x, y, z] = bound.threads;
    if (x == 0 && y == 0 && z == 0) continue;
    if (x == 0 || x > max_block_threads || y > max_block_threads || z > max_block_z ||
        uint64_t(x) * std::max(y, 1u) * std::max(z, 1u) > max_block_threads)
      return usage_error(
          fmt::format("{} {},{},{} is no shape of a block: x and y are at most {}, z at most {}, "
                      "their product at most {}, and x is not 0",
                      bound.name, x, y, z, max_block_threads, max_block_z, max_block_threads));
  }
  if (options.max_threads[0] && options.required_threads[0])
    return usage_error("give either the largest or the required number of threads, not both");
  const uint64_t blocks = uint64_t(options.cluster[0]) * options.cluster[1] * options.cluster[2];
  if (options.cluster != std::array<uint32_t, 3>{0, 0, 0}) {
    if (!has_clusters(options.sm))
      return usage_error(
          fmt::format("{} has no clusters of blocks: they came with sm_90", arch_name(arch_of(options))));
    if (blocks == 0 || blocks > max_cluster_blocks)
      return usage_error(fmt::format(
          "cluster {},{},{} is no shape of a cluster: it has 1 to {} blocks, of which every device takes {}",
          options.cluster[0], options.cluster[1], options.cluster[2], max_cluster_blocks,
          portable_cluster_blocks));
  }
  if (options.max_registers > max_thread_registers)
    return usage_error(fmt::format("a thread has at most {} registers, not {}", max_thread_registers,
                                   options.max_registers));
  if (options.coarse_bytes != 16 && options.coarse_bytes != 32)
    return usage_error(
        fmt::format("a coarse entry accesses 16 or 32 bytes at once, not {}", options.coarse_bytes));
  const GpuLimits &limits = architecture_up_to(options.sm).limits;
  if (options.min_blocks > limits.blocks)
    return usage_error(fmt::format("a multiprocessor of {} runs at most {} blocks, not {}",
                                   arch_name(arch_of(options)), limits.blocks, options.min_blocks));
  return {};
}

} // namespace kiln::ptx
