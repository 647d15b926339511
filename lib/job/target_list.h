// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/llvm/target.h>

#include <vector>

namespace kiln {

/// The targets of a session, by name: Kiln's own and those of the embedder. Does not own them.
class TargetList {
public:
  /// Adds a target. Error: Usage, if its name is already in the list.
  Result<void> add(const Target &target);
  /// Finds a target by name. Error: Usage, listing the known names.
  Result<const Target *> find(std::string_view name) const;
  /// Returns the target of a spec. find() must have accepted its name before.
  const Target &of(const TargetSpec &spec) const;
  const std::vector<const Target *> &all() const { return targets_; }

private:
  std::vector<const Target *> targets_; ///< short: Kiln has two
};

} // namespace kiln
