// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class TargetPassConfig;
} // namespace llvm

namespace kiln {

/// Functions with more instructions skip LLVM passes whose run time is quadratic: the SLP vectoriser
/// (optimize), and the optimising code generator for CPUs (codegen, with a warning).
inline constexpr unsigned max_instructions_of_function = 20'000;

/// Disables LLVM's MachineSinking pass in functions of more than 2,000 blocks. The pass moves a value with a
/// single use after a branch into the block of its use. A sum over n bounds checks sinks through all of them
/// one by one (4,000 checks: 4 s, and all loaded values stay in registers). Call it before `config` adds its
/// machine passes.
void leave_sinking_out_of_large_functions(llvm::TargetPassConfig &config);

} // namespace kiln
