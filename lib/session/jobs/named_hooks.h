// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks of jobs that options refer to by name ({"hooks": "name"}), since text cannot hold code.
#pragma once

#include <kiln/extension/llvm/hooks.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace kiln {

/// Thread-safe.
class NamedHooks {
public:
  /// Replaces hooks of the same name. Error: Usage.
  Result<void> add(std::shared_ptr<const JobHooks> hooks);
  /// Error: Usage, listing the available names.
  Result<std::shared_ptr<const JobHooks>> find(std::string_view name) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const JobHooks>, std::less<>> all_;
};

} // namespace kiln
