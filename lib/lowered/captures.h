// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how closures in flat code capture each variable: by variable (a Core.Box in Julia) or by value. A
// variable is captured by value if every path to the closure assigns it, and nothing assigns it later: no
// path from the closure, and no closure. Internal to the component.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

/// Control flow of flat code, statement by statement. Any statement may throw and jump to any handler.
class StatementFlow {
public:
  explicit StatementFlow(const CodeInfo &code);

  /// Calls `visit(index)` once for each statement reachable from `starts`. If `visit` returns false, the walk
  /// does not continue past that statement.
  template <class Visit> void walk(std::vector<uint32_t> starts, Visit visit) {
    ++round_;
    while (!starts.empty()) {
      const uint32_t at = starts.back();
      starts.pop_back();
      if (at >= seen_.size() || seen_[at] == round_) continue;
      seen_[at] = round_;
      const bool continues = visit(at);
      starts.insert(starts.end(), handlers_.begin(), handlers_.end());
      if (continues) add_successors(at, starts);
    }
  }
  std::vector<uint32_t> after(uint32_t statement) const {
    std::vector<uint32_t> next;
    add_successors(statement, next);
    return next;
  }

private:
  void add_successors(uint32_t statement, std::vector<uint32_t> &to) const;
  const CodeInfo &code_;
  std::vector<uint32_t> handlers_;
  std::vector<uint32_t> seen_;
  uint32_t round_ = 0;
};

/// True if the statement reads the slot: as an operand, or by IsDefined or Cell.
bool reads_slot(const Stmt &stmt, uint32_t slot);

/// Decides for each Cell (capture of a variable) whether it captures by value, and sets flags::ByValue and
/// flags::Unchanged. Removes each Fresh (start of a new variable) without effect. Jump targets must be final.
/// Cost: number of statements times number of captures.
void settle_captures(CodeInfo &code);

} // namespace kiln
