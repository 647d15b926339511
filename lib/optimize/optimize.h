// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component optimize (layer 6): the middle-end.
//   pipeline       lean pipelines by opt level, kept in the worker
//   inline_choice  which functions are to be inlined
//   exit_early     loops that iterate drives are left at its own question
//   guards         loops without the conditions that hold in all iterations
//   linear         integers of a loop at its ends, exactly
//   unroll_indexed which loops are unrolled so that small arrays end in registers
//   merge_blocks   one block of thousands that only return
//   cleanup        drop what is dead
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

/// Looking into the middle-end. Either makes the pipeline anew for this run, so it is slower.
struct OptimizeOptions {
  Timer *pass_timer = nullptr; ///< one row a pass below the current stage
  std::function<void(std::string_view pass, const llvm::Module *module)>
      after_pass; ///< module: for module passes
};

/// Makes muladd one rounding at every level, where the hardware has the operation: LLVM's passes split
/// llvm.fmuladd where its product is a constant, and code generation fuses it otherwise. Before any pass.
Result<void> fuse_muladds(Worker &worker, const MachineSpec &spec, llvm::Module &module);

/// Runs the pipeline of config.opt_level on the module. Marks what is to be inlined first.
Result<void> optimize(const Target &target, const CompilerConfig &config, llvm::Module &module,
                      Worker &worker, const MachineSpec &spec, const OptimizeOptions &options = {});

/// An array of a thread's own that loops of a constant number of turns index, and that lies in memory all the
/// same: it is larger than the registers of a thread, or unrolled the loops would be too long.
struct ArrayInMemory {
  const llvm::Instruction *access; ///< the first; of the module
  uint64_t bytes;
  uint64_t instructions; ///< of the function's loops if they were unrolled
};
/// Those that optimize() left; none for targets on which memory is not slow.
std::vector<ArrayInMemory> arrays_left_in_memory(const llvm::Module &module);

/// Removes dead functions, dead globals and declarations without a use, and merges equal constants.
Result<void> cleanup(const CompilerConfig &config, llvm::Module &module, Worker &worker);

} // namespace kiln
