// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "large_functions.h"

#include <job/job.h>
#include <llvm_support/llvm_support.h>

#include <llvm/IR/Module.h>

namespace kiln {
namespace {

constexpr size_t max_blocks = 4'000;

size_t instructions_in(const llvm::Function &function) {
  size_t count = 0;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) count += !instruction.isDebugOrPseudoInst();
  return count;
}

} // namespace

std::optional<LargeFunction> find_large_function(const CompilerConfig &config, const llvm::Module &module,
                                                 const Target &target) {
  // LLVM allocates registers only for targets that make objects. Elsewhere the assembler allocates them.
  const bool allocates = target.capabilities(config.target).makes_objects;
  if (!allocates || config.opt_level == 0 || config.opt_level >= 3) return std::nullopt;
  std::optional<LargeFunction> largest;
  for (const llvm::Function &function : module) {
    const LargeFunction one{instructions_in(function), function.size()};
    if (one.instructions <= max_instructions_of_function && one.blocks <= max_blocks) continue;
    if (!largest || one.instructions > largest->instructions) largest = one;
  }
  return largest;
}

} // namespace kiln
