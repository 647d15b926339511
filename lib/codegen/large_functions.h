// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/job.h>

#include <cstddef>
#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace kiln {

class Target;

/// Size of a function that has more than 20,000 instructions or 4,000 blocks after optimisation.
struct LargeFunction {
  size_t instructions = 0, blocks = 0;
};

/// Finds the largest function that is too large for LLVM's optimising code generator. None: all functions are
/// small enough. Register allocation, live intervals, two-address form and loop hoisting are quadratic in
/// straight-line code and in the number of blocks. 20,000 statements took up to 88 s, and 0.4 s with code
/// generation as at -O0. .NET's compiler has the same rule (20,000 instructions or 2,000 blocks). The rule
/// does not apply at -O3, where the user accepts long compiles, and to targets whose assembler allocates
/// registers.
std::optional<LargeFunction> find_large_function(const CompilerConfig &config, const llvm::Module &module,
                                                 const Target &target);

} // namespace kiln
