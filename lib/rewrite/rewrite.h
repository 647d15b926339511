// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component rewrite (layer 6): lowers the conventions of emitted IR to IR that a target can run, and checks
// for unsupported code. Each rewrite has a file; rewrites.def gives their order.
//   indirect_calls    calls of pointers to code -> calls of possible target functions
//   throw_exceptions  kiln.throw -> report and end the thread
//   debug_level       kiln.debug_level -> a constant
//   internalize       internal linkage for all functions but the entry
//   kernel_state      the state as a parameter of functions that use it
//   packed_entry      entry wrapper with the packed ABI
//   device_launches   launches by kernels, for targets
//   callers           the call graph, for targets
//   signature         more parameters for functions
//   fast_math         relaxed floating point for the whole job
//   certain_throws    checks that always fail, for warnings
//   check_ir          unsupported calls with their source stacks
//
// Emitted IR (made by emit, interpreted here):
//   call void @kiln.throw(i32 kind, ptr name, ptr location), then unreachable; kind is an abi::ExceptionKind;
//     the pointers refer to zero-terminated constants or are null (location: "function|file|line", innermost
//     first, separated by line ends)
//   ptr @kiln.state()             native: the abi::NativeThread; GPUs: the abi::ExceptionRecord, or null
//   i32 @kiln.thread_idx.x() ...  thread_idx, block_idx, block_dim, grid_dim; .x .y .z; 0-based
//   void @kiln.end_thread()       GPUs: ends the thread; then unreachable
//   void @kiln.system_fence()     GPUs: earlier writes are visible to the host before later ones
//   i32 @kiln.debug_level()
//   void @kiln.static_error(ptr message)  a fault if it survives optimisation
//   i32 @kiln.launch(...)         device_launches.h; "kiln.launched" on the kernel
//   function attribute "kiln.deferred"  a pointer to the function exists; on a call: a call through a pointer
//   function attributes "kiln.entry" on the entry, and "kiln.kernel" on a kernel entry
#pragma once

#include "callers.h"
#include "certain_throws.h"
#include "check_ir.h"
#include "device_launches.h"
#include "signature.h"

#include <job/job.h>
#include <support/support.h>

namespace llvm {
class GlobalValue;
}

namespace kiln {

/// Gives all definitions of the module internal linkage. Exceptions: `but` (may be null), LLVM's own globals,
/// globals with appending linkage, and variables that the host may set.
void make_internal(llvm::Module &module, const llvm::GlobalValue *but);

/// Returns the rewrites of one phase in order: the common ones of rewrites.def, and the target's own. On
/// emitted IR the target's own run first, since they may emit throws; on the linked module they run last.
std::vector<Rewrite> rewrites_in_order(RewritePhase phase, const Target &target);

/// Runs the rewrites of one phase. Each has its own row in the timing table.
Result<void> run_rewrites(RewritePhase phase, const Target &target, const CompilerConfig &config,
                          llvm::Module &module, Timer *timer);
/// Runs the rewrites that also apply to a nested job's module (Rewrite::on_nested).
Result<void> run_nested_rewrites(RewritePhase phase, const Target &target, const CompilerConfig &config,
                                 llvm::Module &module, Timer *timer);

} // namespace kiln
