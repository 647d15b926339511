// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

#include <fmt/format.h>

namespace kiln::spirv {

Result<void> inline_into_entry(llvm::Function &entry, const Functions &functions, std::string_view what) {
  for (llvm::Function &function : *entry.getParent()) // in the module's order: the same error each time
    if (functions.count(&function) && calls_itself(function))
      return make_error(ErrorCode::KernelError,
                        fmt::format("the recursive function `{}` {}; the spirv target cannot run that",
                                    function.getName().str(), what),
                        {}, "make it a loop");
  return inline_calls(entry, functions);
}

} // namespace kiln::spirv
