// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instrumentation of kernels: stack checks in recursive functions, and, on request, access checks and
// cancellation points. All of them change emitted IR, in which every call, access and loop of the source
// still exists with its line.
#pragma once

#include <kiln/abi.h>
#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/IRBuilder.h>

namespace kiln {
class Target;
}

namespace kiln::native {

/// access_checks.cpp: CompilerConfig::check.
Result<void> check_accesses(const Target &target, const CompilerConfig &config, llvm::Module &module);
/// cancellation_points.cpp: CompilerConfig::interruptible.
Result<void> add_cancellation_points(const Target &target, const CompilerConfig &config,
                                     llvm::Module &module);

/// recursion.cpp: always.
Result<void> check_recursion(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// Name of the function that ends a thread. Code that changes how threads end searches for it.
inline constexpr const char *EndThread = "kiln_end_thread";
/// Emits a call of function EndThread, which is declared on first use, and then `unreachable`.
void end_thread(llvm::IRBuilder<> &ir);
/// Emits the linear index of the running thread in its block.
llvm::Value *thread_index(llvm::IRBuilder<> &ir);
/// Constant text with "function|file|line" of each inlined frame of a location, innermost first. Null without
/// debug information.
llvm::Constant *location_constant(llvm::Module &module, const llvm::DebugLoc &at);

} // namespace kiln::native
