// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component rewrite (layer 6): from the conventions of emitted IR to what a target can run, one file a
// rewrite, in the order of rewrites.def; and the check for what is left that it cannot.
//   indirect_calls    calls of pointers to code -> calls of the functions that they may lead to
//   throw_exceptions  kiln.throw -> report and end the thread
//   debug_level       kiln.debug_level -> a constant
//   internalize       all but the entry is internal
//   kernel_state      the state as a parameter of whatever uses it
//   packed_entry      entry wrapper of the packed ABI
//   device_launches   what kernels launch, for targets
//   fast_math         relaxed floating point for the whole job
//   certain_throws    checks that always fail, for warnings
//   check_ir          unsupported calls with their source stacks
//
// Emitted IR (made by emit, understood here):
//   call void @kiln.throw(i32 kind, ptr name, ptr location), then unreachable; kind is an abi::ExceptionKind,
//   the
//     pointers lead to zero-terminated constants or are null (location: "function|file|line", innermost
//     first, '\n')
//   ptr @kiln.state()             native: the abi::NativeThread; ptx: the abi::ExceptionRecord, or null
//   i32 @kiln.thread_idx.x() ...  thread_idx, block_idx, block_dim, grid_dim; .x .y .z; 0-based; native only
//   i32 @kiln.debug_level()
//   void @kiln.static_error(ptr message)  a fault if it is still there after optimisation
//   i32 @kiln.launch(...)         device_launches.h; "kiln.launched" on the kernel
//   function attribute "kiln.deferred"  there is a pointer to its code; on a call: of such a pointer
//   function attributes "kiln.entry" on the entry, "kiln.kernel" too on a kernel
#pragma once

#include "certain_throws.h"
#include "check_ir.h"
#include "device_launches.h"

#include <job/job.h>
#include <support/support.h>

namespace llvm {
class GlobalValue;
}

namespace kiln {

/// Gives all that the module defines internal linkage, but for `but`, which may be null, and what others
/// name: LLVM's own globals, appending ones, and variables that the host may set.
void make_internal(llvm::Module &module, const llvm::GlobalValue *but);

/// The rewrites of one phase in their order: the common ones of rewrites.def and the target's own, these
/// first on emitted IR, where they may throw, and last on the linked module.
std::vector<Rewrite> rewrites_in_order(RewritePhase phase, const Target &target);

/// Runs them. Each is a row of its own in the timing table.
Result<void> run_rewrites(RewritePhase phase, const Target &target, const CompilerConfig &config,
                          llvm::Module &module, Timer *timer);
/// The same of those that run on the module of a nested job (Rewrite::on_nested).
Result<void> run_nested_rewrites(RewritePhase phase, const Target &target, const CompilerConfig &config,
                                 llvm::Module &module, Timer *timer);

} // namespace kiln
