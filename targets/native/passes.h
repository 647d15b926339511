// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the native target, for its own files.
#pragma once

#include <kiln/abi.h>
#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include <set>
#include <vector>

namespace kiln {
class Target;
}

namespace kiln::native {

/// host.cpp: the host, or the CPU and features that the spec names. Error: Usage for one that does not exist.
Result<TargetSpec> resolve_cpu(TargetSpec spec);

/// The address space of arrays that a block's threads share, as the PTX target numbers it.
inline constexpr unsigned SharedSpace = 3;
/// shared_memory.cpp: static arrays first, then the launch's dynamic memory, behind NativeThread::shared.
Result<void> place_shared_memory(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// alignment.cpp: no access of memory that others made relies on more than 16 bytes.
Result<void> limit_alignment(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// device_launches.cpp: launches by a kernel as calls of the executor.
inline constexpr const char *NativeLaunchSymbol = "kiln_native_launch"; // runtime/host/device_launches.h
Result<void> call_launches(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// Called by runtime/library/device/tensor_memory.jl; defined in runtime/host/tensor_memory.h.
inline constexpr const char *NativeTensorMemorySymbol = "kiln_native_tensor_memory";

/// grid.cpp: the abi::NativeKernel under the entry's name.
Result<void> build_block_function(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// suspend_points.cpp: the functions of `module` at which a thread waits.
std::vector<llvm::Function *> wait_functions(llvm::Module &module);
abi::WaitKind wait_kind(const llvm::Function &function);
/// An abi::WaitSite for this call.
llvm::GlobalVariable *wait_site(const llvm::CallInst &call, uint32_t index);
/// In a plain function one thread waits for itself: it is lane 0 of a warp of one.
void drop_waits(llvm::Module &module);

/// spin_waits.cpp: loops that may wait for another thread's write suspend now and then.
void add_spin_waits(llvm::Module &module);

using Functions = std::set<llvm::Function *>; ///< membership only

/// inlining.cpp
/// Whether it reports an exception.
bool is_reporter(const llvm::Function &function);
bool has_waits(llvm::Module &module, llvm::Function &kernel);
llvm::CallInst *next_call(llvm::Function &function, const Functions &callees);
/// Error: Input for what waits and is recursive.
Result<void> inline_what_ends_or_waits(llvm::Function &kernel);
/// What throws, into a kernel that does not wait. False where something of that calls itself.
bool inline_what_ends(llvm::Function &kernel);
/// The functions that report an exception return to the kernel; the calls, each with `unreachable` behind it.
std::vector<llvm::CallInst *> let_reporters_return(llvm::Function &kernel);
/// unwinding.cpp: `functions` are what throws and cannot be inlined into the kernel.
void return_from_throws(llvm::Function &kernel, const Functions &functions, const Functions &reporters);
/// The reporter that the kernel calls behind them; its name.
inline constexpr const char *UnwoundThread = "kiln_unwound_thread";
/// What passes ask, made known to each other, for a few passes outside of a pipeline.
struct Analyses {
  Analyses();
  llvm::PassBuilder builder; // what it registered may ask it later
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
};
/// Passes that leave little but what the kernel needs alive.
llvm::FunctionPassManager simplification();

/// Whether it, or what it calls, reports an exception.
bool may_throw(llvm::Function &kernel);

/// region_kernel.cpp: a kernel as loops over all threads of the block. It keeps its parameters, but uses the
/// thread's index no more. False, and the kernel means what it did, where that cannot be. A kernel with
/// barriers that all threads of the block pass together: loops between the barriers.
bool make_region_kernel(const CompilerConfig &config, llvm::Function &kernel);
/// A kernel that does not wait.
bool make_whole_kernel(const CompilerConfig &config, llvm::Function &kernel);

/// barrier.cpp: a kernel that suspends where it waits; inline_what_ends_or_waits comes first.
struct CoroutineKernel {
  llvm::Function *start; ///< ptr (ptr frame, the kernel's parameters...): runs to the first wait or the end
  llvm::Function *wake;  ///< void (ptr frame): runs to the next one
  uint64_t frame_bytes;
};
Result<CoroutineKernel> make_coroutine(const CompilerConfig &config, llvm::Function &kernel);

} // namespace kiln::native
