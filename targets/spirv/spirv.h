// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component spirv (layer 7): the target for OpenCL devices that accept SPIR-V.
//   spirv_target      class Target
//   features          what a device may lack, and the errors about it
//   waits             errors about loops that wait for another thread
//   device_functions  definitions of kiln.barrier, kiln.thread_idx.x and others in LLVM IR
//   thread_ends       exceptions: SPIR-V has no instruction that ends a thread
//   entry             the kernel's parameters in one structure
//   address_spaces    Kiln's address spaces as those of SPIR-V
//   odd_integers, wide_integers, overflow   integers of 8, 16, 32 and 64 bits only
//   printing          printf with its texts in constant memory
//   bfloats           BFloat16 computed in floats of 32 bits
//   atomics           operations that OpenCL lacks as compare-and-swap loops
//   intrinsics        LLVM intrinsics for which the back-end has no or wrong code
#pragma once

#include <job/job.h>

namespace kiln {

const Target &spirv_target();

} // namespace kiln
