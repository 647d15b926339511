// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by kernels in emitted IR (emit/device_launches.cpp). Targets replace these calls:
//   i32 @kiln.launch(ptr kernel, 3 x i32 blocks, 3 x i32 threads, i32 shared bytes, i64 stream, ...)
// The kernel's parameters follow, in their own types. The result is 0, or a cudaError_t.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class CallInst;
class Function;
class Module;
} // namespace llvm

namespace kiln {

/// Attribute of a kernel that other kernels of the module launch, in addition to the entry.
inline constexpr const char *LaunchedAttribute = "kiln.launched";
/// Number of operands of kiln.launch before the kernel's parameters.
inline constexpr unsigned DeviceLaunchFixed = 9;

/// Launched kernels, in module order.
std::vector<llvm::Function *> launched_kernels(llvm::Module &module);
/// Finds the calls of kiln.launch, in order of functions and instructions. Adds debug information to the
/// launched kernels, so that code inlined into them keeps its lines.
std::vector<llvm::CallInst *> device_launches(llvm::Module &module);
/// Removes the declaration of kiln.launch after its calls were replaced.
void drop_device_launch(llvm::Module &module);

} // namespace kiln
