// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/llvm/target.h>

#include <vector>

namespace kiln {

/// Targets of a session by name: Kiln's own and the embedder's. Does not own them.
class TargetList {
public:
  /// Error: Usage if the name exists already.
  Result<void> add(const Target &target);
  /// Error: Usage, listing the known names.
  Result<const Target *> find(std::string_view name) const;
  /// Target of a spec that `find` has accepted.
  const Target &of(const TargetSpec &spec) const;
  const std::vector<const Target *> &all() const { return targets_; }

private:
  std::vector<const Target *> targets_; ///< short: Kiln has two
};

} // namespace kiln
