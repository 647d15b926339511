// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registry of a session's hooks by name, so that options in JSON can select them: {"hooks": "name"}.
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
  /// Adds hooks; they replace hooks of the same name. Error: Usage.
  Result<void> add(std::shared_ptr<const JobHooks> hooks);
  /// Returns the hooks with this name. Error: Usage, with the available names.
  Result<std::shared_ptr<const JobHooks>> find(std::string_view name) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const JobHooks>, std::less<>> all_;
};

} // namespace kiln
