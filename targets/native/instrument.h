// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instrumentation of kernels: stack checks in recursive functions, and, on request, access checks and
// cancellation points. All run on emitted IR, where every call, access and loop of the source still exists
// with its line.
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
/// True for direct and indirect recursion.
bool calls_itself(const llvm::Function &function);

/// instrument.cpp. Name of the function that ends a thread; code that replaces ends of threads looks for it.
inline constexpr const char *EndThread = "kiln_end_thread";
/// Emits a call of EndThread (declared on first use) and unreachable.
void end_thread(llvm::IRBuilder<> &ir);
/// Linear index of the running thread in its block.
llvm::Value *thread_index(llvm::IRBuilder<> &ir);
/// Location of a loop, and not of a function called in its condition.
llvm::DebugLoc loop_location(const llvm::BasicBlock &header);
/// "function|file|line" of each frame, innermost first, as a constant; null without debug information.
llvm::Constant *location_constant(llvm::Module &module, const llvm::DebugLoc &at);

} // namespace kiln::native
