// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

#include <algorithm>

namespace kiln {

LoopCounts::LoopCounts(const CodeInfo &code)
    : at_(code.at), loop_at_(code.stmts.size(), LoopRange::no_parent) {
  for (const LoopRange &range : find_loops(code)) {
    loop_at_[range.head] = uint32_t(loops_.size());
    loops_.push_back({.range = range});
  }
}

LoopCounts::Loop *LoopCounts::jumped(uint32_t head) {
  const uint32_t index = loop_at_[head];
  if (index == LoopRange::no_parent) return nullptr;
  Loop &loop = loops_[index];
  ++loop.jumps;
  for (uint32_t around = index; around != LoopRange::no_parent; around = loops_[around].range.parent)
    ++loops_[around].rounds;
  if (loop.rounds < loop.next) return nullptr;
  // A short inner loop waits: the next round of the loop around it comes soon, and compiles both.
  if (loop.range.parent != LoopRange::no_parent) {
    const Loop &around = loops_[loop.range.parent];
    if (around.failures == 0 && around.jumps > 0 && loop.jumps < min_rounds * (around.jumps + 1))
      return nullptr;
  }
  return &loop;
}

void LoopCounts::Loop::note(Interpreter::CompiledCalls::LoopOutcome outcome) {
  using Outcome = Interpreter::CompiledCalls::LoopOutcome;
  asked = rounds;
  switch (outcome) {
  case Outcome::Done: next = 0; break;
  case Outcome::Wait: next = rounds + wait_rounds; break;
  case Outcome::Interpret: next = rounds + (min_rounds << std::min(failures++, max_doublings)); break;
  }
}

} // namespace kiln
