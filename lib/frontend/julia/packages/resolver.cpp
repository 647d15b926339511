// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "resolver.h"

#include <kiln/extension/language/internal/hint.h>

#include "slug.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace kiln::julia {

namespace fs = std::filesystem;

namespace {

bool is_folder(const fs::path &path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

Error not_found(std::string message) { return make_error(ErrorCode::ArgumentError, std::move(message)); }

} // namespace

PackageResolver::PackageResolver(PackageSearch search) : search_(std::move(search)) {
  if (search_.load_path.empty() && !search_.project.empty()) search_.load_path = {"@"};
}

Result<std::string> Package::extension_file(const std::string &extension) const {
  const fs::path ext = fs::path(folder) / "ext";
  for (const fs::path &path : {ext / (extension + ".jl"), ext / extension / (extension + ".jl")})
    if (is_file(path)) return path.string();
  return not_found(
      fmt::format("the package `{}` names an extension `{}`, and neither ext/{}.jl nor ext/{}/{}.jl "
                  "is in {}",
                  name, extension, extension, extension, extension, folder));
}

Result<const std::vector<PackageResolver::Environment> *> PackageResolver::environments() const {
  if (environments_) return &*environments_;
  std::vector<Environment> all;
  for (const std::string &entry : search_.load_path) {
    std::string place = entry == "@" ? search_.project : entry;
    if (place.empty() || place.front() == '@') continue;
    Environment environment;
    std::string file = is_file(place) ? place : project_file_in(place);
    environment.folder = is_file(place) ? fs::path(place).parent_path().string() : place;
    if (entry == "@" && file.empty())
      return not_found(fmt::format("the project {} has no Project.toml", place));
    if (!file.empty()) {
      KILN_TRY(environment.project, read_project(file));
      KILN_TRY(environment.manifest, read_manifest(environment.folder));
    } else if (!is_folder(place)) {
      return not_found(fmt::format("the load path names {}, which is no folder", place));
    }
    all.push_back(std::move(environment));
  }
  environments_ = std::move(all);
  return &*environments_;
}

std::string PackageResolver::places() const {
  std::string text;
  for (const std::string &entry : search_.load_path)
    text += (text.empty() ? "" : ", ") + (entry == "@" && !search_.project.empty() ? search_.project : entry);
  return text.empty() ? "nowhere: there is no load path and no project" : text;
}

PackageResolver::Found PackageResolver::of_project(const Project &project) const {
  auto package = std::make_shared<Package>();
  package->name = project.name;
  package->uuid = project.uuid;
  package->version = project.version;
  package->folder = project.folder;
  package->has_project = true;
  package->deps = project.deps;
  package->weakdeps = project.weakdeps;
  package->extensions = project.extensions;
  const fs::path folder(project.folder);
  const fs::path file = folder / (project.entry.empty() ? "src/" + project.name + ".jl" : project.entry);
  if (!is_file(file))
    return not_found(fmt::format("the package `{}` is in {}, which has no {}", project.name, project.folder,
                                 file.lexically_relative(folder).string()));
  package->file = file.string();
  return std::shared_ptr<const Package>(std::move(package));
}

PackageResolver::Found PackageResolver::in_folder(const std::string &folder, const std::string &name) const {
  const fs::path base(folder);
  for (const fs::path &root : {base / name, base / (name + ".jl")}) {
    const fs::path file = root / "src" / (name + ".jl");
    if (!is_file(file)) continue;
    if (std::string project_file = project_file_in(root.string()); !project_file.empty()) {
      KILN_TRY(Project project, read_project(project_file));
      if (project.name.empty()) project.name = name;
      if (project.name != name)
        return input_error(fmt::format("{} names itself `{}`, and its folder is that of `{}`", project_file,
                                       project.name, name));
      return of_project(project);
    }
    auto package = std::make_shared<Package>();
    package->name = name;
    package->folder = root.string();
    package->file = file.string();
    return std::shared_ptr<const Package>(std::move(package));
  }
  if (fs::path file = base / (name + ".jl"); is_file(file)) {
    auto package = std::make_shared<Package>();
    package->name = name;
    package->folder = folder;
    package->file = file.string();
    return std::shared_ptr<const Package>(std::move(package));
  }
  return std::shared_ptr<const Package>();
}

PackageResolver::Found PackageResolver::of_entry(const Environment &environment,
                                                 const ManifestEntry &entry) const {
  std::string folder, looked;
  if (!entry.path.empty()) {
    folder = (fs::path(environment.manifest->folder) / entry.path).lexically_normal().string();
    looked = folder;
  } else if (!entry.tree_hash.empty()) {
    for (int length : {5, 4}) {
      auto slug = version_slug(entry.uuid, entry.tree_hash, length);
      if (!slug)
        return input_error(fmt::format("{}: git-tree-sha1 of {} is `{}`: it has 40 hexadecimal digits",
                                       environment.manifest->file, entry.name, entry.tree_hash));
      for (const std::string &depot : search_.depots) {
        const fs::path place = fs::path(depot) / "packages" / entry.name / *slug;
        if (folder.empty() && is_folder(place)) folder = place.string();
        if (length == 5) looked += (looked.empty() ? "" : ", ") + place.string();
      }
    }
    if (looked.empty())
      looked = fmt::format("no depot: {} or JULIA_DEPOT_PATH names one",
                           by_door("--depot", "PackageOptions::depots", "depots"));
  } else {
    return not_found(
        fmt::format("{} has `{}` as one of Julia's standard libraries, and Kiln brings none of that "
                    "name",
                    environment.manifest->file, entry.name));
  }
  if (folder.empty() || !is_folder(folder))
    return not_found(fmt::format("{} has the package `{}`{}, and it is not there: looked for it in {}",
                                 environment.manifest->file, entry.name,
                                 entry.version.empty() ? "" : " " + entry.version, looked));
  Project project;
  if (std::string file = project_file_in(folder); !file.empty()) {
    KILN_TRY(project, read_project(file));
    if (!project.uuid.empty() && project.uuid != entry.uuid)
      return input_error(fmt::format("the manifest disagrees: {} has `{}` as {}, and {} says {}",
                                     environment.manifest->file, entry.name, entry.uuid, file, project.uuid));
  }
  project.folder = folder;
  project.name = entry.name;
  project.uuid = entry.uuid;
  if (!entry.version.empty()) project.version = entry.version;
  // Dependencies that the manifest has resolved take precedence over those of the package's own project file.
  for (const auto &[name, uuid] : entry.deps) project.deps[name] = uuid;
  for (const auto &[name, uuid] : entry.weakdeps) project.weakdeps[name] = uuid;
  for (const std::string &name : entry.dep_names) {
    const auto same_name = environment.manifest->by_name(name);
    if (same_name.empty())
      return input_error(fmt::format("the manifest disagrees with itself: {} has `{}` depend on `{}`, "
                                     "of which it has no entry",
                                     environment.manifest->file, entry.name, name));
    project.deps[name] = same_name.front()->uuid;
  }
  return of_project(project);
}

/// Finds the UUID of `name` in an environment. Empty: the package has no UUID. No value: the environment
/// lacks the name.
Result<std::optional<std::string>> PackageResolver::identify(const std::string &name,
                                                             const Package *from) const {
  using Uuid = std::optional<std::string>;
  if (from && from->has_project) {
    for (const PackageNames *names : {&from->deps, &from->weakdeps})
      if (auto it = names->find(name); it != names->end()) return Uuid(it->second);
    if (name == from->name) return Uuid(from->uuid);
    return not_found(fmt::format("the package `{}` has no `{}` among its dependencies ({})", from->name, name,
                                 (fs::path(from->folder) / "Project.toml").string()));
  }
  KILN_TRY(const std::vector<Environment> *all, environments());
  for (const Environment &environment : *all) {
    if (!environment.project) {
      KILN_TRY(std::shared_ptr<const Package> found, in_folder(environment.folder, name));
      if (found) return Uuid(found->uuid);
      continue;
    }
    const Project &project = *environment.project;
    if (project.name == name) return Uuid(project.uuid);
    if (auto it = project.deps.find(name); it != project.deps.end()) {
      if (environment.manifest && !environment.manifest->by_uuid(it->second)) {
        const auto other = environment.manifest->by_name(name);
        return input_error(
            fmt::format("the manifest disagrees with its project: {} has `{}` as {}, and {} has {}",
                        project.file, name, it->second, environment.manifest->file,
                        other.empty() ? "no entry of it" : "it as " + other.front()->uuid));
      }
      return Uuid(it->second);
    }
  }
  return Uuid();
}

PackageResolver::Found PackageResolver::locate(const std::string &name, const std::string &uuid) const {
  KILN_TRY(const std::vector<Environment> *all, environments());
  for (const Environment &environment : *all) {
    if (!environment.project) {
      KILN_TRY(std::shared_ptr<const Package> found, in_folder(environment.folder, name));
      if (found && found->uuid == uuid) return found;
      continue;
    }
    if (environment.project->name == name && environment.project->uuid == uuid)
      return of_project(*environment.project);
    if (!environment.manifest || uuid.empty()) continue;
    if (const ManifestEntry *entry = environment.manifest->by_uuid(uuid))
      return of_entry(environment, *entry);
  }
  return std::shared_ptr<const Package>();
}

PackageResolver::Found PackageResolver::find(const std::string &name, const Package *from) const {
  KILN_TRY(std::optional<std::string> uuid, identify(name, from));
  if (uuid) {
    KILN_TRY(std::shared_ptr<const Package> found, locate(name, *uuid));
    if (found) return found;
    return not_found(fmt::format("the package `{}` [{}] was looked for in {}", name, *uuid, places()));
  }
  return not_found(fmt::format("the package `{}` was looked for in {}", name, places()));
}

} // namespace kiln::julia
