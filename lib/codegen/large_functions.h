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

/// A function of more than 20,000 instructions or 4,000 blocks behind optimisation.
struct LargeFunction {
  size_t instructions = 0, blocks = 0;
};

/// The largest function that is too large for LLVM's optimising code generator, if there is one. Its register
/// allocation, live intervals, two-address form and loop hoisting are quadratic in straight-line code and in
/// blocks: 20,000 statements took up to 88 s, and 0.4 s where machine code is made as at -O0. .NET's compiler
/// has the same rule (20,000 instructions or 2,000 blocks). Not at -O3, whose user waits for the best code,
/// and not on targets whose assembler allocates the registers.
std::optional<LargeFunction> find_large_function(const CompilerConfig &config, const llvm::Module &module,
                                                 const Target &target);

} // namespace kiln
