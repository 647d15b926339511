// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of interpreted code that compiled code may continue.
#pragma once

#include "interp.h"

#include <memory>
#include <unordered_map>

namespace kiln {

/// Counts the rounds of a method's loops, to find the loops that compiled code should continue.
class LoopCounts {
public:
  struct Loop {
    LoopRange range;
    uint64_t jumps = 0;         ///< rounds of the loop itself
    uint64_t rounds = 0;        ///< with those of inner loops
    uint64_t asked = 0;         ///< `rounds` at the last call of continue_loop
    uint64_t next = min_rounds; ///< `rounds` of the next call
    uint32_t failures = 0;
    void note(Interpreter::CompiledCalls::LoopOutcome outcome);
  };
  explicit LoopCounts(const CodeInfo &code);
  /// False if another method has taken the memory of the one that was counted.
  bool counts(const CodeInfo &code) const { return at_ == code.at && loop_at_.size() == code.stmts.size(); }
  /// Counts a jump back to `head`. Returns the loop if compiled code should continue it now, or null.
  Loop *jumped(uint32_t head);

private:
  static constexpr uint64_t min_rounds = 1'000;
  static constexpr uint64_t wait_rounds = 64; ///< between calls for types that are not hot yet
  static constexpr uint32_t max_doublings = 12;
  Span at_;
  std::vector<Loop> loops_;
  std::vector<uint32_t> loop_at_; ///< by statement: the loop with this head
};

/// Counts of all methods. Used only by the interpreting thread.
class LoopTable {
public:
  LoopCounts &of(const CodeInfo &code) {
    std::unique_ptr<LoopCounts> &counts = counts_[&code];
    if (!counts || !counts->counts(code)) counts = std::make_unique<LoopCounts>(code);
    return *counts;
  }

private:
  std::unordered_map<const CodeInfo *, std::unique_ptr<LoopCounts>> counts_;
};

} // namespace kiln
