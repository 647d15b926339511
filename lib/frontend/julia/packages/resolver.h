// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names to packages, as in Julia's code loading: the requesting package determines the UUID of a name; the
// environments of the load path determine the location of a UUID.
#pragma once

#include "project.h"

#include <memory>

namespace kiln::julia {

/// Search path of packages.
struct PackageSearch {
  /// Entries: a folder with a Project.toml, such a file, or a folder of packages. "@" is `project`. Other
  /// entries with @ refer to Julia's own installation and are ignored.
  std::vector<std::string> load_path;
  std::string project;             ///< a folder with a Project.toml, or that file; "": none
  std::vector<std::string> depots; ///< folders with packages/Name/SLUG
  /// Packages that Kiln brings, but loads from their sources.
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
  PackageNames deps, weakdeps; ///< from the manifest, else from its own Project.toml
  std::vector<PackageExtension> extensions;
  /// Path of ext/NAME.jl or ext/NAME/NAME.jl. Error: Input if neither exists.
  Result<std::string> extension_file(const std::string &name) const;
};

class PackageResolver {
public:
  explicit PackageResolver(PackageSearch search);

  /// Resolves `name` as used in `from`, or in the program (null). Errors: Input (not found, with the searched
  /// places; an unreadable file; a manifest that contradicts its project).
  Result<std::shared_ptr<const Package>> find(const std::string &name, const Package *from) const;
  /// Preferences for a package by its name: table `preferences.NAME` of Project.toml, and NAME of
  /// LocalPreferences.toml next to it, which takes precedence. Earlier environments of the load path take
  /// precedence over later ones. Writes nothing. Errors: Input for an unreadable file.
  Result<TomlTable> preferences(std::string_view package) const;
  const PackageSearch &search() const { return search_; }

private:
  /// A folder or file of the load path, read on first use.
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
  mutable std::map<std::string, TomlTable, std::less<>> preferences_; ///< preferences read so far, by package
  mutable std::optional<std::vector<Environment>> environments_;      ///< callers use one thread at a time
};

} // namespace kiln::julia
