// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Passes that protect LLVM passes which are quadratic in the bounds checks of one array. 1,000 checks took 2
/// s, and 4,000 took 16 times as long. Add the LLVM passes between these two. They change only functions
/// where one value, such as an array's length, decides many branches.
///
/// InstCombine and IndVarSimplify compare each comparison with all branches on the same value. The hide pass
/// puts the conditions into llvm.expect, which these passes do not look through. InstCombine also sinks a
/// value with a single use past a check. A sum over n checks would sink through all of them one by one, and
/// keep all loaded values in registers. The hide pass gives such values a second use in their own block.
void add_hide_conditions(llvm::FunctionPassManager &passes);
void add_reveal_conditions(llvm::FunctionPassManager &passes);

} // namespace kiln
