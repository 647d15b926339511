// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each call of a local function, LLVM 22.1.8's NVPTX back-end walks through all uses of that function to
// align its parameters better (getFunctionParamOptimizedAlign, Function::hasAddressTaken). A kernel with
// 40,000 calls of one function, such as long straight-line code at -O0, takes 15 s instead of 2 s. The
// back-end does not walk the uses of functions with external linkage.
#include "passes.h"

namespace kiln::ptx {

void externalize_hot_callees(llvm::Module &module) {
  constexpr unsigned often = 4096; // minimum number of calls: 4096 calls with 4096 uses are 16 million steps
  for (llvm::Function &function : module)
    if (function.hasLocalLinkage() && !function.isDeclaration() && function.hasNUsesOrMore(often))
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
}

} // namespace kiln::ptx
