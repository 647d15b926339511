// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the preferences of packages as Julia's Base.get_preferences does.
#include "resolver.h"

#include <filesystem>

namespace kiln::julia {

namespace {

/// Merges preferences `over`, which take precedence, into `into`. The list under the key `__clear__` of
/// `over` names keys of `into` to remove first.
void merge(TomlTable &into, const TomlTable &over) {
  constexpr std::string_view clear = "__clear__";
  if (const TomlValue *cleared = find(over, clear); cleared && cleared->array())
    for (const TomlValue &name : *cleared->array())
      if (name.text()) into.erase(*name.text());
  for (const auto &[key, value] : over) {
    if (key == clear) continue;
    TomlValue &place = into[key];
    if (value.table()) {
      TomlTable inner = place.table() ? *place.table() : TomlTable();
      merge(inner, *value.table());
      place.value = std::move(inner);
    } else {
      place = value;
    }
  }
}

} // namespace

Result<TomlTable> PackageResolver::preferences(std::string_view package) const {
  if (auto known = preferences_.find(package); known != preferences_.end()) return known->second;
  KILN_TRY(TomlTable read, read_preferences(package));
  return preferences_.emplace(package, std::move(read)).first->second;
}

Result<TomlTable> PackageResolver::read_preferences(std::string_view package) const {
  namespace fs = std::filesystem;
  KILN_TRY(const std::vector<Environment> *all, environments());
  TomlTable merged;
  for (auto environment = all->rbegin(); environment != all->rend(); ++environment) {
    if (!environment->project) continue;
    KILN_TRY(TomlTable project, read_toml(environment->project->file));
    if (const TomlTable *table = find_table(project, "preferences"))
      if (const TomlTable *own = find_table(*table, package)) merge(merged, *own);
    for (const char *name : {"JuliaLocalPreferences.toml", "LocalPreferences.toml"}) {
      const fs::path file = fs::path(environment->project->folder) / name;
      std::error_code ignored;
      if (!fs::is_regular_file(file, ignored)) continue;
      KILN_TRY(TomlTable local, read_toml(file.string()));
      if (const TomlTable *own = find_table(local, package)) merge(merged, *own);
      break;
    }
  }
  return merged;
}

} // namespace kiln::julia
