// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command-line options that say where Julia packages are found. They take precedence over environment
// variables.
#include "options.h"

#include <algorithm>

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

std::optional<PackageOptions> CommonOptions::packages() const {
  PackageOptions options = packages_of_environment();
  const bool is_asked = !load_path.empty() || !project.empty() || !depots.empty() || !from_source.empty();
  if (!is_asked && options.load_path.empty() && options.project.empty()) return std::nullopt;
  if (!load_path.empty()) options.load_path = load_path;
  if (!project.empty()) {
    options.project = project;
    if (!std::ranges::count(options.load_path, "@")) options.load_path.insert(options.load_path.begin(), "@");
  }
  if (!depots.empty()) options.depots = depots;
  if (!from_source.empty()) options.from_source = from_source;
  return options;
}

} // namespace kiln::tool
