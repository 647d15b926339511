// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is added to a kernel's own work: a look at the stack in functions that call themselves, and only when
// it is asked for, checks of accesses and cancellation points for the end of the kernel's time. All run on
// emitted IR, where every call, access and loop of the source is still there with its line.
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
/// Directly or through others.
bool calls_itself(const llvm::Function &function);

/// instrument.cpp. Its name: who turns the ends of threads into something else has to know it.
inline constexpr const char *EndThread = "kiln_end_thread";
/// A call of EndThread, made on first use, and unreachable.
void end_thread(llvm::IRBuilder<> &ir);
/// The linear index of the running thread in its block.
llvm::Value *thread_index(llvm::IRBuilder<> &ir);
/// The line of a loop, not that of a function that its condition calls.
llvm::DebugLoc loop_location(const llvm::BasicBlock &header);
/// "function|file|line" of each frame, innermost first, as a constant; null without debug information.
llvm::Constant *location_constant(llvm::Module &module, const llvm::DebugLoc &at);

} // namespace kiln::native
