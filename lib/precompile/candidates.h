// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates of a manifest: named lists of values. Calls and options refer to a list by $NAME or $(NAME), and
// become one job per value.
#pragma once

#include <support/support.h>

#include <map>
#include <set>
#include <span>

namespace kiln {

class Candidates {
public:
  using Lists = std::map<std::string, std::vector<std::string>, std::less<>>;

  void set(const std::string &name, std::vector<std::string> values) { lists_[name] = std::move(values); }
  /// Returns the lists whose names occur in `texts`. Error: Input, if a name has no list.
  Result<Lists> used_in(std::span<const std::string_view> texts) const;
  bool was_used(std::string_view name) const { return used_.contains(name); }

  /// One value of each list. next() goes to the next combination of values; the last list varies fastest.
  class Choice {
  public:
    explicit Choice(const Lists &lists) : lists_(lists), turn_(lists.size(), 0) {}
    bool next();
    std::string filled(std::string_view text) const;

  private:
    const Lists &lists_;
    std::vector<size_t> turn_; ///< by list: index of its current value
  };

private:
  Lists lists_;
  mutable std::set<std::string, std::less<>> used_;
};

/// Reads the object "candidates" of a manifest, for example:
///   "T": ["Float32", "Float64"]
///   "N": [1, 2, {"from": 8, "to": 64, "step": 8}]
///   "M": {"from": 4, "to": 32, "factor": 2}
/// Appends errors to `faults`.
void read_candidates(const JsonValue &value, Candidates &into, std::vector<Diagnostic> &faults);

} // namespace kiln
