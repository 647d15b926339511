// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "iteration_space.h"

#include <kiln/extension/language/calls.h>

namespace kiln::tool {

Result<LaunchShape> shape_of_context(Session &session, const std::string &expression) {
  KILN_TRY(Value counts,
           evaluate(session, "--ndrange", fmt::format("KernelAbstractions.launch_shape({})", expression)));
  const std::vector<Value> *fields = counts.fields();
  if (!fields || fields->size() != 2)
    return internal_error(fmt::format("launch_shape gave {}", to_string(counts)));
  LaunchShape shape;
  for (size_t i = 0; i < 2; i++) {
    int64_t n = int64_t((*fields)[i].low_bits());
    if (n < 1 || n > UINT32_MAX)
      return usage_error(
          fmt::format("--ndrange: a launch has at least one group and below 2^32 of them, not {}", n));
    (i ? shape.blocks : shape.threads) = {uint32_t(n), 1, 1};
  }
  return shape;
}

} // namespace kiln::tool
