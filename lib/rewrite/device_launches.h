// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that kernels launch, as emission leaves them (emit/device_launches.cpp), for the targets, which
// replace the calls:
//   i32 @kiln.launch(ptr kernel, 3 x i32 blocks, 3 x i32 threads, i32 shared bytes, i64 stream, ...)
// Behind these come the kernel's parameters, in its own types. It gives 0, or the number of an error of
// CUDA's.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class CallInst;
class Function;
class Module;
} // namespace llvm

namespace kiln {

/// A kernel that others of the module launch, beside its entry.
inline constexpr const char *LaunchedAttribute = "kiln.launched";
/// Operands of kiln.launch in front of the kernel's own parameters.
inline constexpr unsigned DeviceLaunchFixed = 9;

/// In the module's order.
std::vector<llvm::Function *> launched_kernels(llvm::Module &module);
/// The calls of kiln.launch, in the order of functions and instructions. The kernels that they launch have
/// debug information afterwards, so that the lines of what is inlined into them survive.
std::vector<llvm::CallInst *> device_launches(llvm::Module &module);
/// The calls are gone: so is what was called.
void drop_device_launch(llvm::Module &module);

} // namespace kiln
