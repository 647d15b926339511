// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a session's Julia finds packages: SessionOptions::packages (docs/guide/packages.md).
#pragma once

#include <kiln/export.h>

#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Files are read when a package is asked for.
struct PackageOptions {
  /// As JULIA_LOAD_PATH has them: a folder with a Project.toml, such a file, a folder of packages, "@" for
  /// `project`.
  std::vector<std::string> load_path = {};
  std::string project = {};             ///< a folder with a Project.toml, or that file; "": none
  std::vector<std::string> depots = {}; ///< folders with packages/Name/SLUG
  /// Packages that Kiln brings, and whose own sources are loaded in their place where they are found.
  std::vector<std::string> from_source = {};
};

/// The options that JULIA_LOAD_PATH, JULIA_PROJECT, JULIA_DEPOT_PATH (else ~/.julia) and KILN_FROM_SOURCE
/// name.
KILN_API PackageOptions packages_of_environment();

} // namespace kiln::inline KILN_API_VERSION
