// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the native target, for its own files.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

namespace kiln::native {

/// host.cpp: the host, or the CPU and features that the spec names. Error: Usage for one that does not exist.
Result<TargetSpec> resolve_cpu(TargetSpec spec);

/// shared_memory.cpp: static arrays first, then the launch's dynamic memory, behind NativeThread::shared.
Result<void> place_shared_memory(const CompilerConfig &config, llvm::Module &module);

/// grid.cpp: the abi::NativeKernel under the entry's name.
Result<void> build_block_function(const CompilerConfig &config, llvm::Module &module);

/// barrier.cpp: a kernel that suspends at barriers.
struct CoroutineKernel {
  llvm::Function *start;     ///< ptr (ptr frame, the kernel's parameters...): runs to the first barrier or the end
  llvm::Function *resume;    ///< fastcc void (ptr frame): runs to the next one. The frame begins with null at the end
  uint64_t frame_bytes;
};
bool has_barrier(llvm::Module &module, llvm::Function &kernel);
Result<CoroutineKernel> make_coroutine(const CompilerConfig &config, llvm::Function &kernel);
/// In a plain function one thread waits for itself.
void drop_barriers(llvm::Module &module);

} // namespace kiln::native
