// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks of jobs that options name ({"hooks": "name"}), since text cannot hold code.
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
  /// In place of others of its name. Error: Usage.
  Result<void> add(std::shared_ptr<const JobHooks> hooks);
  /// Error: Usage, with the names that there are.
  Result<std::shared_ptr<const JobHooks>> find(std::string_view name) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const JobHooks>, std::less<>> all_;
};

} // namespace kiln
