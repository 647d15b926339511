// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Protect LLVM passes that are quadratic in the bounds checks of one array (1,000 checks took 2 s, and 4,000
/// took 16 times as long): run them between these two passes. Only functions where one value decides many
/// branches are changed, such as an array's length in its checks.
///
/// InstCombine and IndVarSimplify compare each comparison with all branches on the same value. They do not
/// look through llvm.expect, which hides the conditions. InstCombine also sinks a value with a single use
/// after the check. A sum over n checks would sink through all of them one by one, and keep all loaded values
/// in registers. Such values get a second use in their own block.
void add_hide_conditions(llvm::FunctionPassManager &passes);
void add_reveal_conditions(llvm::FunctionPassManager &passes);

} // namespace kiln
