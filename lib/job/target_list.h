// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/llvm/target.h>

#include <vector>

namespace kiln {

/// The targets of a session, by name: Kiln's own and those that the embedder brought. Not owned.
class TargetList {
public:
  /// Error: Usage, if there is one of that name.
  Result<void> add(const Target &target);
  /// Error: Usage, with the names that there are.
  Result<const Target *> find(std::string_view name) const;
  /// Of a spec that `find` has seen.
  const Target &of(const TargetSpec &spec) const;
  const std::vector<const Target *> &all() const { return targets_; }

private:
  std::vector<const Target *> targets_; ///< few: Kiln has two
};

} // namespace kiln
