// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal interfaces of the native target's files.
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

/// host.cpp: resolves to the host, or to the CPU and features of the spec. Error: Usage for an unknown name.
Result<TargetSpec> resolve_cpu(TargetSpec spec);

/// Address space of arrays shared by a block's threads, as in the PTX target.
inline constexpr unsigned SharedSpace = 3;
/// shared_memory.cpp: static arrays first, then the launch's dynamic memory, from NativeThread::shared on.
Result<void> place_shared_memory(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// alignment.cpp: limits the assumed alignment of external memory to 16 bytes.
Result<void> limit_alignment(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// device_launches.cpp: lowers launches by a kernel to calls of the executor.
inline constexpr const char *NativeLaunchSymbol = "kiln_native_launch"; // runtime/host/device_launches.h
Result<void> call_launches(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// Called by runtime/library/device/tensor_memory.jl; defined in runtime/host/tensor_memory.h.
inline constexpr const char *NativeTensorMemorySymbol = "kiln_native_tensor_memory";

/// grid.cpp: builds the abi::NativeKernel under the entry's name.
Result<void> build_block_function(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// suspend_points.cpp: functions of `module` at which a thread waits.
std::vector<llvm::Function *> wait_functions(llvm::Module &module);
abi::WaitKind wait_kind(const llvm::Function &function);
/// The abi::WaitSite of this call.
llvm::GlobalVariable *wait_site(const llvm::CallInst &call, uint32_t index);
/// Removes waits from plain functions: their single thread is lane 0 of a warp of one.
void drop_waits(llvm::Module &module);

/// spin_waits.cpp: lets loops that may wait for another thread's write suspend regularly.
void add_spin_waits(llvm::Module &module);

using Functions = std::set<llvm::Function *>; ///< never iterated

/// inlining.cpp: true if the function reports an exception.
bool is_reporter(const llvm::Function &function);
bool has_waits(llvm::Module &module, llvm::Function &kernel);
llvm::CallInst *next_call(llvm::Function &function, const Functions &callees);
/// Inlines functions that throw or wait. Error: Input for a recursive function that waits.
Result<void> inline_throws_and_waits(llvm::Function &kernel);
/// Inlines functions that throw into a kernel without waits. False if one of them is recursive.
bool inline_throws(llvm::Function &kernel);
/// Makes reporters of exceptions return to the kernel. Returns their calls, each followed by `unreachable`.
std::vector<llvm::CallInst *> let_reporters_return(llvm::Function &kernel);
/// unwinding.cpp. `functions`: those that throw and cannot be inlined into the kernel.
void return_from_throws(llvm::Function &kernel, const Functions &functions, const Functions &reporters);
/// Name of the reporter that the kernel calls after them.
inline constexpr const char *UnwoundThread = "kiln_unwound_thread";
/// Analysis managers registered with each other, for a few passes outside of a pipeline.
struct Analyses {
  Analyses();
  llvm::PassBuilder builder; // kept: its callbacks may use it later
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
};
/// Passes that minimise the values that a kernel keeps alive.
llvm::FunctionPassManager simplification();

/// True if the function or its callees may report an exception.
bool may_throw(llvm::Function &kernel);

/// region_kernel.cpp: turns a kernel into loops over all threads of the block. Its parameters stay, but it no
/// longer uses the thread index. False: not possible; the kernel's behaviour is unchanged.
/// make_region_kernel: for kernels with barriers that all threads pass together; loops between the barriers.
bool make_region_kernel(const CompilerConfig &config, llvm::Function &kernel);
/// For kernels without waits.
bool make_whole_kernel(const CompilerConfig &config, llvm::Function &kernel);

/// barrier.cpp: turns a kernel into a coroutine that suspends at waits. Call inline_throws_and_waits()
/// first.
struct CoroutineKernel {
  llvm::Function *start; ///< ptr (ptr frame, the kernel's parameters...): runs to the first wait or the end
  llvm::Function *wake;  ///< void (ptr frame): runs to the next wait or the end
  uint64_t frame_bytes;
};
Result<CoroutineKernel> make_coroutine(const CompilerConfig &config, llvm::Function &kernel);

} // namespace kiln::native
