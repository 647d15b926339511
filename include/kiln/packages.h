// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders in which a session finds Julia packages: SessionOptions::packages (docs/guide/packages.md).
#pragma once

#include <kiln/export.h>

#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Where to look for packages. Files are read when code first uses a package.
struct PackageOptions {
  /// Entries like those of JULIA_LOAD_PATH: a folder with a Project.toml, a Project.toml file, a folder of
  /// packages, or "@" for `project`.
  std::vector<std::string> load_path = {};
  std::string project = {};             ///< a folder with a Project.toml, or that file; "": none
  std::vector<std::string> depots = {}; ///< folders with packages/Name/SLUG
  /// Names of packages that Kiln replaces by built-in versions, whose original sources are to be loaded
  /// instead if they are found.
  std::vector<std::string> from_source = {};
};

/// Makes options from the environment variables JULIA_LOAD_PATH, JULIA_PROJECT, JULIA_DEPOT_PATH (default
/// ~/.julia) and KILN_FROM_SOURCE.
KILN_API PackageOptions packages_of_environment();

} // namespace kiln::inline KILN_API_VERSION
