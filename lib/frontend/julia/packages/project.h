// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a Project.toml, and the Manifest.toml next to it.
#pragma once

#include "toml.h"

#include <filesystem>
#include <optional>

namespace kiln::julia {

/// A package extension: code that loads once all of its trigger packages have loaded.
struct PackageExtension {
  std::string name;
  std::vector<std::string> triggers;
};

/// Package names to UUIDs.
using PackageNames = std::map<std::string, std::string, std::less<>>;

struct Project {
  std::string file, folder;
  std::string name, uuid, version; ///< "": not a package
  std::string entry;               ///< `path` or `entryfile`; "": src/Name.jl
  PackageNames deps, weakdeps;
  std::vector<PackageExtension> extensions;
};

struct ManifestEntry {
  std::string name, uuid, version;
  std::string path;                   ///< as written, relative to the manifest's folder; "": none
  std::string tree_hash;              ///< git-tree-sha1; "": none. Neither path nor hash: a standard library
  std::vector<std::string> dep_names; ///< deps = ["A"]: each name has a single entry
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
/// Path of JuliaProject.toml or Project.toml in `folder`; empty: neither exists.
std::string project_file_in(const std::string &folder);
/// Reads a project file. Error: Input, naming the file and the reason.
Result<Project> read_project(const std::string &file);
/// Reads the manifest in a project's folder; no value: there is none.
Result<std::optional<Manifest>> read_manifest(const std::string &folder);

} // namespace kiln::julia
