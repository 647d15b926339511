// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component optimize (layer 6): the middle-end, which runs LLVM's and Kiln's passes on a linked module.
//   pipeline       lean pipelines by optimisation level, kept in the worker
//   inline_choice  decides which functions are inlined
//   exit_early     leaves loops over iterate by a single test
//   guards         copies loops without conditions that hold in all iterations
//   linear         computes a loop's integers in its first and last iteration
//   unroll_indexed unrolls loops to move small arrays to registers
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

/// Instrumentation of a run of the middle-end. A run with any of it is slower, since it builds a pipeline of
/// its own.
struct OptimizeOptions {
  Timer *pass_timer = nullptr; ///< gets one row per pass, below the current stage
  std::function<void(std::string_view pass, const llvm::Module *module)>
      after_pass; ///< module: only for module passes
};

/// Turns llvm.fmuladd into llvm.fma if the hardware has it, so that muladd rounds once at every level. On
/// CPUs without it, turns it into a product and a sum. Otherwise LLVM's passes would split some calls
/// (constant products), and code generation would fuse others. Call it before any pass.
Result<void> fuse_muladds(Worker &worker, const MachineSpec &spec, llvm::Module &module);

/// Decides inlining, then runs the pipeline of config.opt_level on the module.
Result<void> optimize(const Target &target, const CompilerConfig &config, llvm::Module &module,
                      Worker &worker, const MachineSpec &spec, const OptimizeOptions &options = {});

/// A thread's array that stays in local memory, although only loops with constant trip counts index it. It
/// does not fit into a thread's registers, or the unrolled loops would be too long.
struct ArrayInMemory {
  const llvm::Instruction *access; ///< first access; the module owns it
  uint64_t bytes;
  uint64_t instructions; ///< of the function's loops after unrolling
};
/// Finds the arrays that optimize() left in local memory. Empty for targets with fast local memory (CPUs).
std::vector<ArrayInMemory> arrays_left_in_memory(const llvm::Module &module);

/// Removes dead functions, dead globals and unused declarations, and merges equal constants.
Result<void> cleanup(const CompilerConfig &config, llvm::Module &module, Worker &worker);

} // namespace kiln
