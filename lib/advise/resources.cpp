// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that use the assembler's report on a kernel: register spills, and low occupancy (few warps per
// multiprocessor).
#include "rules.h"

#include <host/host.h>
#include <kiln/extension/language/internal/hint.h>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln {
namespace {

constexpr uint32_t max_threads = 1024, warp_size = 32;
/// Percentage of the maximum number of warps; an occupancy below it is reported.
constexpr uint32_t enough = 50;

uint32_t percent(const Occupancy &occupancy) { return 100 * occupancy.warps / occupancy.max_warps; }

/// Returns the occupancy for the kernel's block size. If that size is unknown, returns the highest occupancy
/// of all block sizes.
Occupancy occupancy_of(const KernelResources &resources, const GpuFacts &gpu) {
  const uint64_t known = uint64_t(gpu.threads[0]) * gpu.threads[1] * gpu.threads[2];
  if (known) return occupancy(gpu.sm, resources, uint32_t(std::min<uint64_t>(known, max_threads)));
  Occupancy best;
  for (uint32_t threads = warp_size; threads <= max_threads; threads += warp_size) {
    const Occupancy each = occupancy(gpu.sm, resources, threads);
    if (best.max_warps == 0 || each.warps > best.warps) best = each;
  }
  return best;
}

/// Returns the largest value of the resource `member`, below its current value, that allows more than `warps`
/// warps. 0: none does. `unit` is the step between values.
uint32_t next_step(KernelResources resources, uint32_t KernelResources::*member, uint32_t unit,
                   const GpuFacts &gpu, uint32_t warps) {
  for (uint32_t value = resources.*member; value > unit;) {
    value = (value - 1) / unit * unit;
    resources.*member = value;
    if (occupancy_of(resources, gpu).warps > warps) return value;
  }
  return 0;
}

/// Returns true if the kernel uses matrix units (tensor cores). Such kernels fill the registers with tiles on
/// purpose, and need only few warps to keep the units busy.
bool uses_matrix_units(const KernelIr &ir) {
  for (const llvm::Function &function : ir.module())
    if (function.getName().contains("wmma") || function.getName().contains(".mma.")) return true;
  // The instruction wgmma is found as inline PTX, since LLVM 22 has no intrinsic for it.
  for (const llvm::Function *function : ir.functions())
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
          if (llvm::StringRef(text->getAsmString()).contains("mma")) return true;
  return false;
}

void find_spills(const KernelIr &ir, const KernelResources &resources, Findings &findings) {
  if (!resources.spill_store_bytes && !resources.spill_load_bytes) return;
  findings.add_of_kernel(
      "spills", ir,
      fmt::format(
          "{} registers do not hold the kernel's values: each thread stores {} bytes to local memory and "
          "loads {}",
          resources.registers, resources.spill_store_bytes, resources.spill_load_bytes),
      fmt::format(
          "allow more registers (a larger {}, smaller {} or {}), keep fewer values alive at a time, or split the kernel",
          option_hint("maxregs"), option_hint("maxthreads"), option_hint("minblocks")));
}

void find_low_occupancy(const KernelIr &ir, const KernelResources &resources, const GpuFacts &gpu,
                        Findings &findings) {
  const Occupancy now = occupancy_of(resources, gpu);
  if (percent(now) >= enough || uses_matrix_units(ir)) return;
  const bool is_known = gpu.threads[0] != 0;
  std::string what = fmt::format("a multiprocessor of sm_{} holds {}{} of its {} warps ({} %)", gpu.sm,
                                 is_known ? "" : "at most ", now.warps, now.max_warps, percent(now));
  auto step = [&](uint32_t KernelResources::*member, uint32_t unit) {
    return next_step(resources, member, unit, gpu, now.warps);
  };
  if (now.limit == "registers") {
    const uint32_t fewer = step(&KernelResources::registers, 1);
    findings.add_of_kernel(
        "occupancy", ir, fmt::format("{}, because a thread takes {} registers", what, resources.registers),
        fewer ? fmt::format(
                    "from {} registers on more warps fit: keep fewer values alive at a time{}, or try {}",
                    fewer, is_known ? ", make the block smaller" : "",
                    option_hint("maxregs", std::to_string(fewer)))
              : std::string("make the block smaller"));
  } else if (now.limit == "shared memory") {
    const uint32_t less = step(&KernelResources::shared_bytes, 128);
    findings.add_of_kernel(
        "occupancy", ir,
        fmt::format("{}, because a block takes {} bytes of static shared memory", what,
                    resources.shared_bytes),
        less ? fmt::format(
                   "from {} bytes on more blocks fit: smaller tiles, a smaller element type, or the same "
                   "array for two purposes",
                   less)
             : std::string("make the tiles smaller"));
  } else if (is_known) {
    const uint32_t threads = gpu.threads[0] * gpu.threads[1] * gpu.threads[2];
    for (uint32_t more = (threads / warp_size + 1) * warp_size; more <= max_threads; more += warp_size)
      if (occupancy(gpu.sm, resources, more).warps > now.warps) {
        findings.add_of_kernel("occupancy", ir,
                               fmt::format("{}, because a block has {} threads only", what, threads),
                               fmt::format("from {} threads a block on more warps fit", more));
        return;
      }
  }
}

} // namespace

void find_resources(const KernelIr &ir, const KernelResources &resources, const GpuFacts &gpu,
                    Findings &findings) {
  find_spills(ir, resources, findings);
  find_low_occupancy(ir, resources, gpu, findings);
}

} // namespace kiln
