// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component optimize (layer 6): the middle-end.
//   pipeline       lean pipelines by opt level, kept in the worker
//   inline_choice  inlining decisions
//   exit_early     single exit test for loops over iterate
//   guards         loops without conditions that hold in all iterations
//   linear         exact values of a loop's integers at its ends
//   unroll_indexed unrolling that moves small arrays to registers
//   merge_blocks   merges thousands of blocks that only return
//   cleanup        removes dead code
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <functional>
#include <string_view>
#include <vector>

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace kiln {

class Target;
class Worker;
class Timer;
struct MachineSpec;

/// Instrumentation of the middle-end. Each option builds a new pipeline for this run, which is slower.
struct OptimizeOptions {
  Timer *pass_timer = nullptr; ///< one row per pass below the current stage
  std::function<void(std::string_view pass, const llvm::Module *module)>
      after_pass; ///< module: only for module passes
};

/// Makes muladd round once at every level if the hardware supports it. LLVM's passes split llvm.fmuladd with
/// constant products, and code generation fuses the others. Call it before any pass.
Result<void> fuse_muladds(Worker &worker, const MachineSpec &spec, llvm::Module &module);

/// Chooses inlining, then runs the pipeline of config.opt_level on the module.
Result<void> optimize(const Target &target, const CompilerConfig &config, llvm::Module &module,
                      Worker &worker, const MachineSpec &spec, const OptimizeOptions &options = {});

/// A thread's own array that stays in memory although only loops with constant trip counts index it: it is
/// larger than a thread's registers, or the unrolled loops would be too long.
struct ArrayInMemory {
  const llvm::Instruction *access; ///< first access; owned by the module
  uint64_t bytes;
  uint64_t instructions; ///< of the function's loops after unrolling
};
/// Arrays that optimize() left in memory; none for targets with fast memory.
std::vector<ArrayInMemory> arrays_left_in_memory(const llvm::Module &module);

/// Removes dead functions, dead globals and unused declarations, and merges equal constants.
Result<void> cleanup(const CompilerConfig &config, llvm::Module &module, Worker &worker);

} // namespace kiln
