// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Passes of LLVM that are quadratic in the bounds checks of one array (1,000 checks took 2 s, and 4,000
/// took 16 times as long) are put between these two. They change functions only in which one value decides
/// over very many branches, as an array's length does over its checks.
///
/// InstCombine and IndVarSimplify compare each comparison with all branches on the same value, to see what
/// follows from them: hidden conditions are behind llvm.expect, which they do not look through. InstCombine
/// also lets a value that is used once, behind the check, sink there; a sum that runs through n checks sinks
/// through all of them one by one, and all that was loaded stays in registers until then: such values get a
/// second use in their own block.
void add_hide_conditions(llvm::FunctionPassManager &passes);
void add_reveal_conditions(llvm::FunctionPassManager &passes);

} // namespace kiln
