// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names to packages, as Julia's code loading has it: a name means a UUID, by who asks; a UUID lies somewhere,
// by the environments of the load path.
#pragma once

#include "project.h"

#include <memory>

namespace kiln::julia {

/// Where packages are looked for.
struct PackageSearch {
  /// Each a folder with a Project.toml, such a file, or a folder of packages. "@" is `project`; others with @
  /// stand for what Julia's own installation has, and are left out.
  std::vector<std::string> load_path;
  std::string project;             ///< a folder with a Project.toml, or that file; "": none
  std::vector<std::string> depots; ///< folders with packages/Name/SLUG
  /// Packages that Kiln brings, and that are loaded from their sources all the same.
  std::vector<std::string> from_source = {};
  bool empty() const { return load_path.empty() && project.empty(); }
};

/// A package that was found.
struct Package {
  std::string name, uuid; ///< uuid "": a folder without Project.toml
  std::string version;
  std::string folder; ///< that holds src/ and ext/
  std::string file;   ///< src/Name.jl
  bool has_project = false;
  PackageNames deps, weakdeps; ///< what it names, as the manifest says, else its own Project.toml
  std::vector<PackageExtension> extensions;
  /// ext/NAME.jl or ext/NAME/NAME.jl. Error: Input, where neither is there.
  Result<std::string> extension_file(const std::string &name) const;
};

class PackageResolver {
public:
  explicit PackageResolver(PackageSearch search);

  /// What `name` means in `from`, or in the program (null). Errors: Input: none is found, with where it was
  /// looked for; a file that cannot be read; a manifest that disagrees with its project.
  Result<std::shared_ptr<const Package>> find(const std::string &name, const Package *from) const;
  /// What the environments of the load path prefer for a package, by its name: tables `preferences.NAME` of
  /// Project.toml, and NAME of LocalPreferences.toml beside it, which goes before; an environment goes before
  /// those behind it. Nothing is ever written. Errors: Input, of a file that cannot be read.
  Result<TomlTable> preferences(std::string_view package) const;
  const PackageSearch &search() const { return search_; }

private:
  /// A folder or file of the load path, read when it is first asked.
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
  mutable std::map<std::string, TomlTable, std::less<>> preferences_; ///< of packages that asked
  mutable std::optional<std::vector<Environment>> environments_;      ///< one thread at a time asks
};

} // namespace kiln::julia
