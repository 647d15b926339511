// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the native target's files share. Private to component native.
#pragma once

#include <kiln/abi.h>
#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <rewrite/rewrite.h>

#include <set>
#include <vector>

namespace kiln {
class Target;
}

namespace kiln::native {

/// host.cpp: resolves the spec's CPU and features; empty names mean the host's. Error: Usage for an unknown
/// name.
Result<TargetSpec> resolve_cpu(TargetSpec spec);

/// Address space of arrays that a block's threads share, as in the PTX target.
inline constexpr unsigned SharedSpace = 3;
/// shared_memory.cpp: places shared arrays in the block's memory (NativeThread::shared). Static arrays come
/// first, then the launch's dynamic memory.
Result<void> place_shared_memory(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// alignment.cpp: accesses to memory from outside assume an alignment of at most 16 bytes.
Result<void> limit_alignment(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// aarch64.cpp: adapts code for AArch64: structures in calls of C functions, and the clock.
Result<void> adapt_to_aarch64(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// math_calls.cpp: results of mathematical functions do not depend on optimisations.
Result<void> keep_math_calls(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// device_launches.cpp: lowers launches by a kernel to calls of the executor.
inline constexpr const char *NativeLaunchSymbol = "kiln_native_launch"; // runtime/host/device_launches.h
Result<void> call_launches(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// Function that runtime/library/device/tensor_memory.jl calls; declared in runtime/host/tensor_memory.h.
inline constexpr const char *NativeTensorMemorySymbol = "kiln_native_tensor_memory";

/// grid.cpp: builds the function that runs a block (abi::NativeKernel), under the entry's name.
Result<void> build_block_function(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// suspend_points.cpp: finds the functions of `module` at whose calls a thread waits.
std::vector<llvm::Function *> wait_functions(llvm::Module &module);
abi::WaitKind wait_kind(const llvm::Function &function);
/// The abi::WaitSite of this call.
llvm::GlobalVariable *wait_site(const llvm::CallInst &call, uint32_t index);
/// Replaces the waits of plain functions by results for a single thread: lane 0 of a warp with one lane.
void drop_waits(llvm::Module &module);

/// spin_waits.cpp: inserts suspensions into loops that may wait for another thread's write.
void add_spin_waits(llvm::Module &module);

/// inlining.cpp: true for the functions that compiled code calls to report an exception.
bool is_reporter(const llvm::Function &function);
bool has_waits(llvm::Module &module, llvm::Function &kernel);
/// Inlines all functions that throw or wait. Error: Input for a recursive function that waits.
Result<void> inline_throws_and_waits(llvm::Function &kernel);
/// Inlines functions that throw into a kernel without waits. Returns false if one of these functions is
/// recursive.
bool inline_throws(llvm::Function &kernel);
/// Makes functions that report exceptions return to the kernel. Returns the calls of these functions;
/// `unreachable` follows each call.
std::vector<llvm::CallInst *> let_reporters_return(llvm::Function &kernel);
/// unwinding.cpp: makes throwing functions return to the kernel. `functions`: throwing functions that cannot
/// be inlined. `reporters`: functions that report exceptions.
void return_from_throws(llvm::Function &kernel, const Functions &functions, const Functions &reporters);
/// Function that a kernel calls to end a thread after `functions` returned.
inline constexpr const char *UnwoundThread = "kiln_unwound_thread";
/// Passes that reduce the number of values that a kernel keeps live.
llvm::FunctionPassManager simplification();

/// True if the function, or a function that it calls, may report an exception.
bool may_throw(llvm::Function &kernel);

/// region_kernel.cpp: turns a kernel into loops over all threads of the block. The kernel's parameters stay,
/// but it ignores the thread index. Returns false, with unchanged behaviour of the kernel, if that is
/// impossible. make_region_kernel handles kernels in which all threads pass each barrier together: loops
/// between barriers. make_whole_kernel handles kernels without waits.
bool make_region_kernel(const CompilerConfig &config, llvm::Function &kernel);
/// For kernels without waits.
bool make_whole_kernel(const CompilerConfig &config, llvm::Function &kernel);

/// convergence.cpp: inserts waits where warps converge on a GPU, if shared memory is used before and after.
void converge_warps(llvm::Function &kernel);

/// barrier.cpp: turns a kernel into a coroutine that suspends at waits. Call inline_throws_and_waits()
/// earlier.
struct CoroutineKernel {
  llvm::Function *start; ///< ptr (ptr frame, the kernel's parameters...): runs to the first wait or the end
  llvm::Function *wake;  ///< void wake(ptr frame): runs to the next wait or the end
  uint64_t frame_bytes;
};
Result<CoroutineKernel> make_coroutine(const CompilerConfig &config, llvm::Function &kernel);

} // namespace kiln::native
