// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class TargetPassConfig;
} // namespace llvm

namespace kiln {

/// Above this many instructions a function goes without the steps of LLVM whose time grows with its square:
/// the SLP vectoriser (optimize), the optimising code generator for CPUs (codegen, with a warning).
inline constexpr unsigned max_instructions_of_function = 20'000;

/// Call before the configuration adds its machine passes. LLVM's MachineSinking moves a value that is used
/// once, behind a branch, into the block of its use; a sum that runs through n bounds checks sinks through
/// all of them one by one (4,000 checks: 4 s, and all that was loaded stays in registers). Functions of more
/// than 2,000 blocks do without it; others get what they always got.
void leave_sinking_out_of_large_functions(llvm::TargetPassConfig &config);

} // namespace kiln
