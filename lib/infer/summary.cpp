// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "partial.h"

#include <unordered_set>

namespace kiln {

static bool asks_for_random_state(TypeContext &types, const CodeInstance &code) {
  return std::ranges::any_of(code.calls, [&](const CallInfo &call) {
    if (call.kind != CallInfo::Kind::Intrinsic || call.intrinsic != Intrinsic::foreign_call) return false;
    const Lattice name = code.operand(types, call.args[0].operand);
    const Symbol symbol = name.constant ? name.constant->as_symbol() : Symbol();
    return symbol.text().ends_with("kiln.random_state"); // lib/rewrite/random_state.cpp
  });
}

CodeSummary summary_of(TypeContext &types, const CodeInstance &code) {
  CodeSummary summary{code.result.type};
  summary.is_partial = code.has_faults && has_partial_result(types, code);
  std::unordered_set<const CodeInstance *> seen{&code};
  std::vector<const CodeInstance *> order{&code};
  for (size_t i = 0; i < order.size() && !summary.draws_random; ++i) {
    summary.draws_random = asks_for_random_state(types, *order[i]);
    for (const CodeInstance *callee : order[i]->callees)
      if (seen.insert(callee).second) order.push_back(callee);
  }
  return summary;
}

} // namespace kiln
