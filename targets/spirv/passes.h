// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the spirv target. Private to component spirv.
#pragma once

#include "features.h"
#include "mathematics.h"

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>
#include <rewrite/rewrite.h>

#include <string_view>

namespace kiln {
class Target;
}

namespace kiln::spirv {

/// Address spaces of emitted IR (runtime/library/device/types.jl), as for ptx.
namespace space {
inline constexpr unsigned Any = 0, Global = 1, Shared = 3, Constant = 4, Local = 5;
}
/// Address spaces of LLVM's SPIR-V back-end. Constant memory is global memory here.
namespace spirv_space {
inline constexpr unsigned Function = 0, CrossWorkgroup = 1, UniformConstant = 2, Workgroup = 3, Generic = 4;
}

/// device_functions.cpp: links definitions of the functions named kiln.* that the module calls.
Result<void> define_device_functions(const Target &target, const CompilerConfig &config,
                                     llvm::Module &module);
/// positions.cpp: gives functions that ask for the thread's position parameters for it.
Result<void> pass_positions(const Target &target, const CompilerConfig &config, llvm::Module &module);
/// Metadata of a kernel whose warps are sub-groups, with their number of threads.
inline constexpr const char *SubGroupSize = "intel_reqd_sub_group_size";
inline constexpr unsigned WarpThreads = 32;

/// capabilities.cpp: error at an instruction that needs a feature which the device lacks.
Result<void> require(const Features &features, Feature feature, const llvm::Instruction &at);
/// capabilities.cpp: checks all instructions of the final module. Errors: KernelError, with the source lines.
Result<void> check_capabilities(const Features &features, const llvm::Module &module);

/// waits.cpp: refuses loops that wait for another thread, barriers of the grid, and launches by kernels.
/// Errors: KernelError, with the source lines.
Result<void> refuse_waits(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// Marker that ends a thread, in functions that report an exception (rewrite/throw_exceptions.cpp).
inline constexpr const char *EndThread = "kiln.end_thread";
/// thread_ends.cpp: makes threads that throw return from the kernel.
Result<void> return_after_throws(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// thread_ends.cpp: joins the returns of the entry. Intel's CPU driver 2026.22 runs one thread of each block
/// if a kernel that it compiles without optimisation has several.
void leave_one_return(llvm::Module &module);

/// inlining.cpp: inlines all calls of `functions` into the entry. Error: KernelError for a recursive
/// function, whose text says `what` it does, for example "may throw".
Result<void> inline_into_entry(llvm::Function &entry, const Functions &functions, std::string_view what);

/// entry.cpp: makes the kernel's entry, which takes all parameters as one structure in memory, and the
/// launch's shared memory.
Result<void> make_entry(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// printing.cpp: renames printf, of which LLVM's optimisation would make puts and putchar.
inline constexpr const char *HiddenPrintf = "kiln.printf";
void hide_printing(llvm::Module &module);
/// printing.cpp: calls OpenCL's printf. Error: KernelError for a format that is no constant, or a device
/// without printf.
Result<void> lower_printing(const Features &features, llvm::Module &module);

/// bfloats.cpp: computes BFloat16 in floats of 32 bits. Values are still of LLVM's type bfloat, for which
/// map_address_spaces has integers.
void lower_bfloats(llvm::Module &module);

/// address_spaces.cpp: gives all pointers SPIR-V's address spaces.
Result<void> map_address_spaces(llvm::Module &module);

/// atomics.cpp: leaves only atomic operations that OpenCL has.
void expand_atomics(llvm::Module &module);

/// intrinsics.cpp: replaces intrinsics, and operations of vectors, for which the back-end has no right code.
Result<void> lower_intrinsics(Doubles doubles, llvm::Module &module);
/// intrinsics.cpp: writes zext(trunc(x)) as x with a mask. LLVM 22.1.8's back-end makes an invalid operation
/// of it, on operands of different widths.
void mask_extended_truncations(llvm::Module &module);

} // namespace kiln::spirv
