// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program's commands look for packages: its options, on top of the environment.
#include "options.h"

#include <kiln/packages.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/ranges.h>

namespace kiln::tool {

void CommonOptions::add_packages_to(CLI::App &command) {
  command
      .add_option("--load-path", load_path,
                  "a folder of packages, or one with a Project.toml; may be repeated (also JULIA_LOAD_PATH)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option(
          "--project", project,
          "the folder whose Project.toml and Manifest.toml say what packages are (also JULIA_PROJECT)")
      ->type_name("DIR");
  command
      .add_option("--depot", depots,
                  "a folder with packages/Name/SLUG; may be repeated (also JULIA_DEPOT_PATH, else ~/.julia)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option("--from-source", from_source,
                  "a package that Kiln brings, whose own sources are loaded in its place; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

Result<void> CommonOptions::find_packages(Session &session) const {
  PackageOptions options = packages_of_environment();
  const bool is_asked = !load_path.empty() || !project.empty() || !depots.empty() || !from_source.empty();
  if (!is_asked && options.load_path.empty() && options.project.empty()) return {};
  if (!load_path.empty()) options.load_path = load_path;
  if (!project.empty()) {
    options.project = project;
    if (!std::ranges::count(options.load_path, "@")) options.load_path.insert(options.load_path.begin(), "@");
  }
  if (!depots.empty()) options.depots = depots;
  if (!from_source.empty()) options.from_source = from_source;
  return kiln::find_packages(session, options);
}

Result<void> CommonOptions::packages_to_environment() const {
  auto set = [](const char *name, const std::vector<std::string> &parts) -> Result<void> {
    if (parts.empty()) return {};
    for (const std::string &part : parts)
      if (part.find(':') != part.npos)
        return usage_error(fmt::format("`{}` has a colon, which parts the folders of {}", part, name));
    return ::setenv(name, fmt::format("{}", fmt::join(parts, ":")).c_str(), 1)
               ? machine_error(fmt::format("{} could not be set", name))
               : Result<void>();
  };
  PackageOptions options = packages_of_environment();
  if (!load_path.empty()) options.load_path = load_path;
  if (!project.empty() && !std::ranges::count(options.load_path, "@"))
    options.load_path.insert(options.load_path.begin(), "@");
  if (!load_path.empty() || !project.empty()) KILN_CHECK(set("JULIA_LOAD_PATH", options.load_path));
  if (!project.empty()) KILN_CHECK(set("JULIA_PROJECT", {project}));
  KILN_CHECK(set("JULIA_DEPOT_PATH", depots));
  return set("KILN_FROM_SOURCE", from_source);
}

} // namespace kiln::tool
