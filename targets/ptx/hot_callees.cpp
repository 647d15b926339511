// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each call of a local function LLVM 19's NVPTX back-end walks through all of that function's uses (it
// may align parameters better where nobody else calls: getFunctionParamOptimizedAlign,
// Function::hasAddressTaken). A kernel with 40,000 calls of one function, as long straight-line code is at
// -O0, took minutes. Functions that are not local are not looked at so.
#include "passes.h"

namespace kiln::ptx {

void externalize_hot_callees(llvm::Module &module) {
  constexpr unsigned often = 4096; // 16 million steps
  for (llvm::Function &function : module)
    if (function.hasLocalLinkage() && !function.isDeclaration() && function.hasNUsesOrMore(often))
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
}

} // namespace kiln::ptx
