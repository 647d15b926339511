// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/packages.h>

#include <support/support.h>

#include <filesystem>

namespace kiln {
namespace {

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(':', at), text.size());
    if (end > at) parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

} // namespace

PackageOptions KILN_API_VERSION::packages_of_environment() {
  PackageOptions options;
  options.load_path = parts_of(environment_text("JULIA_LOAD_PATH"));
  options.project = environment_text("JULIA_PROJECT");
  // "@name" is a named environment, not a path: packages are found through the load path or a depot.
  if (options.project.starts_with('@')) options.project.clear();
  options.depots = parts_of(environment_text("JULIA_DEPOT_PATH"));
  options.from_source = parts_of(environment_text("KILN_FROM_SOURCE"));
  const std::string home = environment_text("HOME");
  if (options.depots.empty() && home.starts_with('/'))
    options.depots.push_back((std::filesystem::path(home) / ".julia").string());
  return options;
}

} // namespace kiln
