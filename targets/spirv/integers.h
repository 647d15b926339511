// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites a module for SPIR-V's integers. SPIR-V for OpenCL has booleans and integers of 8, 16, 32 and 64
// bits. LLVM 22's back-end widens other widths without masks, and it has no i128.
#pragma once

#include <kiln/result.h>

namespace llvm {
class Module;
}

namespace kiln::spirv {

/// Rewrites the module so that its integers have 1, 8, 16, 32 or 64 bits, and memory holds no i1. No
/// arithmetic or order of i1, and no with.overflow, ucmp, scmp or bitreverse intrinsic remains.
///
/// Run it on optimised modules whose address spaces are final. It keeps layouts of memory, debug locations
/// and the order of phis. It drops debug values of other widths, and flags and metadata of rewritten code.
/// Functions with other widths in their signatures are inlined and removed. The new code may call OpenCL's
/// mul_hi (`_Z6mul_himm`, `_Z6mul_hill`).
///
/// Error: KernelError, with function, instruction and source place, for code that it cannot rewrite: more
/// than 128 bits, vectors of other widths, atomics of other widths, recursion of inlined functions. The
/// module is then half rewritten; discard it.
Result<void> legalize_integers(llvm::Module &module);

} // namespace kiln::spirv
