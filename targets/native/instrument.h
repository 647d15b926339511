// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels get only when it is asked for: checks of their accesses, look-outs for the end of their time. Both run on
// emitted IR, where every access and loop of the source is still there with its line.
#pragma once

#include <kiln/abi.h>
#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/IRBuilder.h>

namespace kiln::native {

/// access_checks.cpp: CompilerConfig::check.
Result<void> check_accesses(const CompilerConfig &config, llvm::Module &module);
/// look_outs.cpp: CompilerConfig::interruptible.
Result<void> add_look_outs(const CompilerConfig &config, llvm::Module &module);

/// instrument.cpp. Its name: who turns the ends of threads into something else has to know it.
inline constexpr const char *EndThread = "kiln_end_thread";
/// A call of EndThread, made on first use, and unreachable.
void end_thread(llvm::IRBuilder<> &ir);
/// The linear index of the running thread in its block.
llvm::Value *thread_index(llvm::IRBuilder<> &ir);
/// "function|file|line" of each frame, innermost first, as a constant; null without debug information.
llvm::Constant *location_constant(llvm::Module &module, const llvm::DebugLoc &at);

} // namespace kiln::native
