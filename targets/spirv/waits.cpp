// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refuses kernels that need progress of other threads or kernels. OpenCL promises none, except at barriers of
// a block: a thread that spins may keep the thread for which it waits from ever running.
//
// A loop is refused if it synchronises and its exits depend on memory that other threads write, and an
// iteration may be idle (waits/wait_loop.h). Loops in which each iteration works end by their own work.
#include "passes.h"

#include <rewrite/rewrite.h>
#include <waits/waits.h>

#include <kiln/extension/llvm/ir.h>

namespace kiln::spirv {
namespace {

constexpr const char *elsewhere = ", or choose the CPU or a CUDA device";

Result<void> refuse_grid_barriers(const llvm::Module &module) {
  const llvm::Function *barrier = module.getFunction("kiln.wait.grid");
  if (!barrier) return {};
  for (const llvm::User *user : barrier->users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      return error_at(
          *call, ErrorCode::KernelError,
          "this barrier of the grid needs all blocks to run at once, which OpenCL does not promise",
          std::string("split the kernel here into two launches") + elsewhere);
  return {};
}

Result<void> refuse_launches(llvm::Module &module) {
  const std::vector<llvm::CallInst *> launches = device_launches(module);
  if (launches.empty()) return {};
  return error_at(*launches.front(), ErrorCode::KernelError,
                  "kernels on OpenCL devices cannot launch other kernels",
                  std::string("launch the other kernel from the host") + elsewhere);
}

Result<void> refuse_waiting_loops(llvm::Function &function, const waits::FunctionEffects &effects) {
  waits::inline_calls_in_waits(function, effects, calls_itself);
  waits::FunctionLoops loops(function);
  // Inner loops first: the loop that spins is the reason, not the loop around it.
  std::vector<llvm::Loop *> inner_first;
  for (llvm::Loop *loop : loops.info.getLoopsInPreorder()) inner_first.insert(inner_first.begin(), loop);
  for (llvm::Loop *loop : inner_first) {
    const waits::WaitLoop wait(*loop, loops, effects);
    if (wait.waits() == waits::WaitsBy::AnyTurn && wait.may_be_idle())
      return error_at(
          waits::loop_place(*loop->getHeader()), ErrorCode::KernelError,
          "this loop waits for a write of another thread, and OpenCL does not promise that the other "
          "thread runs",
          std::string("use a barrier of the block, or split the kernel into two launches") + elsewhere);
  }
  return {};
}

} // namespace

Result<void> refuse_waits(const Target &, const CompilerConfig &, llvm::Module &module) {
  KILN_CHECK(refuse_grid_barriers(module));
  KILN_CHECK(refuse_launches(module));
  // Functions that report an exception end their thread, so that no loop waits for their writes.
  Functions reporters;
  if (llvm::Function *end = module.getFunction(EndThread))
    for (llvm::Function &function : module)
      if (!function.hasFnAttribute(EntryAttribute) && next_call(function, {end})) reporters.insert(&function);
  const auto is_reporter = [&](const llvm::Function &function) {
    return reporters.count(const_cast<llvm::Function *>(&function)) != 0;
  };
  const waits::FunctionEffects effects(module, is_reporter);
  for (llvm::Function &function : module)
    if (effects.get(function).synchronises) KILN_CHECK(refuse_waiting_loops(function, effects));
  return {};
}

} // namespace kiln::spirv
