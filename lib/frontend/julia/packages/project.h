// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Project.toml and the Manifest.toml beside it say of packages.
#pragma once

#include "toml.h"

#include <filesystem>
#include <optional>

namespace kiln::julia {

/// Code of a package that is loaded when all of its triggers are.
struct PackageExtension {
  std::string name;
  std::vector<std::string> triggers;
};

/// Names of packages to their UUIDs.
using PackageNames = std::map<std::string, std::string, std::less<>>;

struct Project {
  std::string file, folder;
  std::string name, uuid, version; ///< "": it is no package
  std::string entry;               ///< `path` or `entryfile`; "": src/Name.jl
  PackageNames deps, weakdeps;
  std::vector<PackageExtension> extensions;
};

struct ManifestEntry {
  std::string name, uuid, version;
  std::string path;                   ///< as it stands there, from the manifest's folder; "": none
  std::string tree_hash;              ///< git-tree-sha1; "": none. Neither of both: a standard library
  std::vector<std::string> dep_names; ///< deps = ["A"], each the one entry of that name
  PackageNames deps;                  ///< [deps.P.deps] A = "uuid"
  PackageNames weakdeps;
};

struct Manifest {
  std::string file, folder;
  std::vector<ManifestEntry> entries;

  const ManifestEntry *by_uuid(std::string_view uuid) const;
  std::vector<const ManifestEntry *> by_name(std::string_view name) const;
};

bool is_file(const std::filesystem::path &path);
/// JuliaProject.toml or Project.toml in `folder`; "": neither is there.
std::string project_file_in(const std::string &folder);
/// Errors: Input, with the file and what is wrong.
Result<Project> read_project(const std::string &file);
/// That beside `project`; no value: there is none.
Result<std::optional<Manifest>> read_manifest(const std::string &folder);

} // namespace kiln::julia
