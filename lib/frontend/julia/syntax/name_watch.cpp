// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "name_watch.h"

#include <algorithm>

namespace kiln::julia {

void WatchedNames::add(std::string_view trigger) {
  if (trigger.empty()) return;
  first_[uint8_t(trigger.front())] = true;
  if (!trigger.ends_with('*'))
    names_.emplace(trigger, trigger);
  else if (!std::ranges::count(prefixes_, trigger))
    prefixes_.push_back(trigger);
}

void WatchedNames::find(std::string_view name, std::vector<std::string_view> &found) const {
  if (name.starts_with('@')) name.remove_prefix(1);
  if (name.empty() || !first_[uint8_t(name.front())]) return;
  auto note = [&](std::string_view trigger) {
    if (!std::ranges::count(found, trigger)) found.push_back(trigger);
  };
  if (auto whole = names_.find(name); whole != names_.end()) note(whole->second);
  for (std::string_view prefix : prefixes_)
    if (name.starts_with(prefix.substr(0, prefix.size() - 1))) note(prefix);
}

} // namespace kiln::julia
