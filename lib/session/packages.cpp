// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "packages.h"

#include "call_scope.h"

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

PackageOptions packages_of_environment() {
  PackageOptions options;
  options.load_path = parts_of(environment_text("JULIA_LOAD_PATH"));
  options.project = environment_text("JULIA_PROJECT");
  if (options.project.starts_with('@')) options.project.clear(); // found from the folder, or a depot's
  options.depots = parts_of(environment_text("JULIA_DEPOT_PATH"));
  options.from_source = parts_of(environment_text("KILN_FROM_SOURCE"));
  const std::string home = environment_text("HOME");
  if (options.depots.empty() && home.starts_with('/'))
    options.depots.push_back((std::filesystem::path(home) / ".julia").string());
  return options;
}

Result<void> find_packages(Session &session, const PackageOptions &options) {
  Session::State &state = session.state();
  CallScope call(state);
  KILN_CHECK(call.check());
  for (const std::string &text : options.load_path) KILN_CHECK(check_text("PackageOptions::load_path", text));
  for (const std::string &text : options.depots) KILN_CHECK(check_text("PackageOptions::depots", text));
  for (const std::string &text : options.from_source)
    KILN_CHECK(check_text("PackageOptions::from_source", text));
  KILN_CHECK(check_text("PackageOptions::project", options.project));
  const std::lock_guard lock(state.load_mutex);
  state.languages.find_packages(options);
  return {};
}

} // namespace kiln
