// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds packages by name, as Julia's code loading does. The package that asks determines the UUID of a name.
// The environments of the load path determine where the package with that UUID is.
#pragma once

#include "project.h"

#include <memory>

namespace kiln::julia {

/// Search path of packages.
struct PackageSearch {
  /// Environments, each a folder with a Project.toml, the path of such a file, or a folder of packages. "@"
  /// stands for `project`. Other entries with @ name parts of Julia's installation, and are ignored.
  std::vector<std::string> load_path;
  std::string project;             ///< a folder with a Project.toml, or that file; "": none
  std::vector<std::string> depots; ///< folders with packages/Name/SLUG
  /// Packages of which Kiln's library has a part, but which are loaded from their sources.
  std::vector<std::string> from_source = {};
  bool empty() const { return load_path.empty() && project.empty(); }
};

/// A resolved package.
struct Package {
  std::string name, uuid; ///< uuid "": a folder without Project.toml
  std::string version;
  std::string folder; ///< contains src/ and ext/
  std::string file;   ///< src/Name.jl
  bool has_project = false;
  PackageNames deps, weakdeps; ///< from the manifest if it lists them, else from the package's project file
  std::vector<PackageExtension> extensions;
  /// Path of extension `name`: ext/NAME.jl or ext/NAME/NAME.jl. Error: Input, if neither exists.
  Result<std::string> extension_file(const std::string &name) const;
};

class PackageResolver {
public:
  explicit PackageResolver(PackageSearch search);

  /// Finds the package that `name` means in package `from` (null: in the program). Errors (Input): not found,
  /// listing the searched places; an unreadable file; a manifest that contradicts its project.
  Result<std::shared_ptr<const Package>> find(const std::string &name, const Package *from) const;
  /// Returns the preferences for a package. They come from the table `preferences.NAME` of Project.toml, and
  /// from NAME in LocalPreferences.toml next to it, which takes precedence. Earlier environments of the load
  /// path precede later ones. Writes no file. Error: Input, for an unreadable file.
  Result<TomlTable> preferences(std::string_view package) const;
  const PackageSearch &search() const { return search_; }

private:
  /// A folder or project file of the load path. It is read when first used.
  struct Environment {
    std::string folder;
    std::optional<Project> project; ///< none: a folder of packages
    std::optional<Manifest> manifest;
  };
  using Found = Result<std::shared_ptr<const Package>>;
  Result<const std::vector<Environment> *> environments() const;
  Result<std::optional<std::string>> identify(const std::string &name, const Package *from) const;
  Found locate(const std::string &name, const std::string &uuid) const;
  Found of_entry(const Environment &environment, const ManifestEntry &entry) const;
  Found in_folder(const std::string &folder, const std::string &name) const; ///< null: no such package
  Found of_project(const Project &project) const;
  std::string places() const;

  Result<TomlTable> read_preferences(std::string_view package) const;

  PackageSearch search_;
  mutable std::map<std::string, TomlTable, std::less<>> preferences_; ///< cache by package name
  /// Set on first use; only one thread uses the resolver at a time.
  mutable std::optional<std::vector<Environment>> environments_;
};

} // namespace kiln::julia
