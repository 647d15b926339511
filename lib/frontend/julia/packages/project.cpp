// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project.h"

#include "slug.h"

#include <fmt/format.h>

#include <filesystem>

namespace kiln::julia {

namespace fs = std::filesystem;

bool is_file(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

namespace {

Error wrong(const std::string &file, const std::string &what) {
  return input_error(fmt::format("{}: {}", file, what));
}

Result<std::string> uuid_in(const std::string &file, std::string_view where, const std::string &text) {
  if (auto uuid = read_uuid(text)) return *uuid;
  return wrong(file,
               fmt::format("the UUID of {} is `{}`, which is none: it has 8-4-4-4-12 hexadecimal digits",
                           where, text));
}

/// [deps]: Name = "uuid".
Result<PackageNames> names_in(const std::string &file, const TomlTable &table, std::string_view key) {
  PackageNames names;
  const TomlTable *found = find_table(table, key);
  if (!found) return names;
  for (const auto &[name, value] : *found) {
    if (!value.text()) return wrong(file, fmt::format("[{}]: {} takes a UUID as text", key, name));
    KILN_TRY(names[name], uuid_in(file, fmt::format("{} in [{}]", name, key), *value.text()));
  }
  return names;
}

Result<std::vector<PackageExtension>> extensions_in(const std::string &file, const TomlTable &table) {
  std::vector<PackageExtension> extensions;
  const TomlTable *found = find_table(table, "extensions");
  if (!found) return extensions;
  for (const auto &[name, value] : *found) {
    PackageExtension extension{name, {}};
    if (value.text()) extension.triggers.push_back(*value.text());
    if (const TomlArray *list = value.array())
      for (const TomlValue &trigger : *list)
        if (trigger.text()) extension.triggers.push_back(*trigger.text());
    if (extension.triggers.empty())
      return wrong(file,
                   fmt::format("[extensions]: {} takes the name of a package, or a list of names", name));
    extensions.push_back(std::move(extension));
  }
  return extensions;
}

Result<ManifestEntry> entry_in(const std::string &file, const std::string &name, const TomlTable &table) {
  ManifestEntry entry;
  entry.name = name;
  KILN_TRY(entry.uuid, uuid_in(file, name, text_of(table, "uuid")));
  entry.version = text_of(table, "version");
  entry.path = text_of(table, "path");
  entry.tree_hash = text_of(table, "git-tree-sha1");
  if (const TomlValue *deps = find(table, "deps"); deps && deps->array()) {
    for (const TomlValue &dep : *deps->array())
      if (dep.text()) entry.dep_names.push_back(*dep.text());
  } else {
    KILN_TRY(entry.deps, names_in(file, table, "deps"));
  }
  if (const TomlValue *weak = find(table, "weakdeps"); weak && weak->table()) {
    KILN_TRY(entry.weakdeps, names_in(file, table, "weakdeps"));
  }
  return entry;
}

} // namespace

std::string project_file_in(const std::string &folder) {
  for (const char *name : {"JuliaProject.toml", "Project.toml"})
    if (fs::path file = fs::path(folder) / name; is_file(file)) return file.string();
  return {};
}

Result<Project> read_project(const std::string &file) {
  KILN_TRY(TomlTable table, read_toml(file));
  Project project;
  project.file = file;
  project.folder = fs::path(file).parent_path().string();
  project.name = text_of(table, "name");
  project.version = text_of(table, "version");
  project.entry = text_of(table, "entryfile");
  if (project.entry.empty()) project.entry = text_of(table, "path");
  if (std::string uuid = text_of(table, "uuid"); !uuid.empty()) {
    KILN_TRY(project.uuid, uuid_in(file, "the project", uuid));
  }
  KILN_TRY(project.deps, names_in(file, table, "deps"));
  KILN_TRY(project.weakdeps, names_in(file, table, "weakdeps"));
  KILN_TRY(project.extensions, extensions_in(file, table));
  return project;
}

Result<std::optional<Manifest>> read_manifest(const std::string &folder) {
  for (const char *name : {"JuliaManifest.toml", "Manifest.toml"}) {
    const fs::path path = fs::path(folder) / name;
    if (!is_file(path)) continue;
    Manifest manifest;
    manifest.file = path.string();
    manifest.folder = folder;
    KILN_TRY(TomlTable table, read_toml(manifest.file));
    const TomlTable *packages = &table; // before manifest format 2, packages are top-level keys
    if (find(table, "manifest_format") || find_table(table, "deps")) packages = find_table(table, "deps");
    if (!packages) return std::optional(std::move(manifest));
    for (const auto &[package, versions] : *packages) {
      if (!versions.array()) continue; // julia_version, project_hash
      for (const TomlValue &version : *versions.array()) {
        if (!version.table()) return wrong(manifest.file, fmt::format("{} is no table", package));
        KILN_TRY(ManifestEntry entry, entry_in(manifest.file, package, *version.table()));
        manifest.entries.push_back(std::move(entry));
      }
    }
    return std::optional(std::move(manifest));
  }
  return std::optional<Manifest>();
}

const ManifestEntry *Manifest::by_uuid(std::string_view uuid) const {
  for (const ManifestEntry &entry : entries)
    if (entry.uuid == uuid) return &entry;
  return nullptr;
}

std::vector<const ManifestEntry *> Manifest::by_name(std::string_view name) const {
  std::vector<const ManifestEntry *> found;
  for (const ManifestEntry &entry : entries)
    if (entry.name == name) found.push_back(&entry);
  return found;
}

} // namespace kiln::julia
