// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cubin.h"

#include "with_session.h"

#include <architectures/architectures.h>
#include <host/host.h>
#include <ptx/ptx.h>
#include <targets/targets.h>

namespace kiln::tool {

std::string resources_text(const Artifact &cubin, const CompilerConfig &config) {
  const KernelResources &r = cubin.resources;
  const GpuCode code = *find_target(config.target).gpu_code(config.target);
  std::string text = fmt::format("kernel: {}\narchitecture: {}\nassembler: {}\n", cubin.entry,
                                 arch_name(arch_of(code)), cubin.assembler);
  text += fmt::format(
      "registers: {} a thread\nstack: {} bytes a thread\nspills: {} bytes stored, {} loaded a thread\n",
      r.registers, r.stack_bytes, r.spill_store_bytes, r.spill_load_bytes);
  text += fmt::format(
      "shared memory: {} bytes a block, static\nconstant bank 0: {} bytes\nbarriers: {} a block\ncubin: {} bytes\n",
      r.shared_bytes, r.constant_bytes, r.barriers, cubin.bytes.size());
  if (cubin.needs_cooperative_launch) text += "cooperative launch: needed, it waits for its grid\n";
  const auto &[x, y, z] = code.block_threads;
  const uint64_t chosen = uint64_t(x) * y * z;
  std::vector<uint32_t> sizes{64, 128, 256, 512, 1024};
  if (chosen) sizes = {uint32_t(std::min<uint64_t>(chosen, 1024))};
  for (uint32_t threads : sizes) {
    Occupancy o = occupancy(code.sm, r, threads);
    text += fmt::format(
        "occupancy at {} threads a block: {:.0f} %, {} blocks of a multiprocessor, limited by {}\n", threads,
        100.0 * o.warps / o.max_warps, o.blocks, o.limit);
  }
  return text;
}

void warn_of_spills(const Artifact &cubin) {
  const KernelResources &r = cubin.resources;
  if (r.spill_store_bytes || r.spill_load_bytes)
    warn(fmt::format("{} spills registers: {} bytes stored and {} loaded a thread, with {} registers",
                     cubin.entry, r.spill_store_bytes, r.spill_load_bytes, r.registers));
}

} // namespace kiln::tool
