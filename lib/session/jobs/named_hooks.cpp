// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "named_hooks.h"

#include <session/session_state.h>

namespace kiln {

Result<void> NamedHooks::add(std::shared_ptr<const JobHooks> hooks) {
  if (!hooks) return usage_error("Session::add_hooks of a null pointer");
  std::string name = hooks->name();
  if (name.empty()) return usage_error("hooks without a name: options could not name them");
  std::lock_guard lock(mutex_);
  all_.insert_or_assign(std::move(name), std::move(hooks));
  return {};
}

Result<std::shared_ptr<const JobHooks>> NamedHooks::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  if (auto found = all_.find(name); found != all_.end()) return found->second;
  std::string names;
  for (const auto &[each, hooks] : all_) names += (names.empty() ? "" : ", ") + each;
  return usage_error(
      fmt::format("this session has no hooks {}{}", name, names.empty() ? "" : ": there are " + names));
}

Result<void> Session::add_hooks(std::shared_ptr<const JobHooks> hooks) {
  CallScope scope(state_->gate);
  KILN_CHECK(scope.check());
  return state_->jobs.hooks().add(std::move(hooks));
}

} // namespace kiln
