// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "languages.h"

#include <julia/julia.h>
#include <runtime_sources.h>
#include <support/exceptions.h>

#include <algorithm>

namespace kiln {

Languages::Languages(const LanguageHost &host, std::span<const LibraryFile> host_files)
    : world_(compiler_world(host.world)) {
  auto julia = std::make_unique<julia::JuliaFrontend>(host, runtime_library(), host_files);
  julia_ = julia.get();
  languages_.push_back(std::move(julia));
  chosen_ = languages_.front().get();
  given_.push_back(chosen_);
}

Result<void> Languages::add(std::unique_ptr<Frontend> language, Frontend *given, const std::string &file) {
  const std::string from = file.empty() ? "" : fmt::format(" (the latter is from the library {})", file);
  for (const auto &other : languages_) {
    if (other->name() == language->name())
      return usage_error(fmt::format("there are two languages named {}{}: give one of them another name",
                                     language->name(), from));
    for (std::string_view extension : language->file_extensions())
      if (std::ranges::count(other->file_extensions(), extension))
        return usage_error(fmt::format("the languages {} and {} both claim files named *{}{}", other->name(),
                                       language->name(), extension, from));
  }
  languages_.push_back(std::move(language));
  given_.push_back(given);
  return {};
}

Result<void> Languages::choose(std::string_view name) {
  for (const auto &language : languages_)
    if (language->name() == name) {
      chosen_ = language.get();
      world_.types().set_printer(language->printer());
      return {};
    }
  return usage_error(fmt::format("there is no language {}: there are {}", name, names()));
}

bool Languages::has(std::string_view name) const {
  return std::ranges::any_of(languages_, [&](const auto &language) { return language->name() == name; });
}

std::string Languages::names() const {
  std::string names;
  for (const auto &language : languages_)
    names += (names.empty() ? "" : ", ") + std::string(language->name());
  return names;
}

Frontend *Languages::find(std::string_view name) const {
  for (size_t i = 0; i < languages_.size(); ++i)
    if (languages_[i]->name() == name) return given_[i];
  return nullptr;
}

void Languages::find_packages(const PackageOptions &options) {
  julia_->find_packages({options.load_path, options.project, options.depots, options.from_source});
}

Result<void> Languages::load_libraries(const TargetList &targets) {
  std::vector<OverlayFiles> overlays;
  KILN_CHECK(call_embedder("overlay of a target", [&]() -> Result<void> {
    for (const Target *target : targets.all())
      if (!target->overlay().empty())
        overlays.push_back( // in "mine+ptx", only the first overlay belongs to this target
            {world_.types().symbol(target->overlay().substr(0, target->overlay().find('+'))),
             target->overlay_sources()});
    return {};
  }));
  KILN_CHECK(languages_.front()->load_library(world_, overlays));
  world_.library_is_loaded(); // Julia's library is equal in all processes of one build
  SourceMap &sources = world_.sources();
  const uint32_t before = sources.add({}, {})->id();
  for (const auto &language : std::span(languages_).subspan(1))
    KILN_CHECK(language->load_library(world_, overlays));
  const uint32_t end = sources.add({}, {})->id();
  for (uint32_t id = before + 1; id < end; id++) {
    auto file = sources.file(id);
    if (file && file->is_library()) add_text(file->name(), file->text());
  }
  libraries_end_ = world_.age();
  return {};
}

void Languages::add_text(const std::string &name, std::string_view text) {
  library_digest_ = Fingerprinter().add(library_digest_).add(name).add(text).finish().hex();
}

Result<void> Languages::check_only_libraries(const std::string &name) const {
  if (world_.age() == libraries_end_) return {};
  return usage_error(fmt::format(
      "the library {} comes too late: the session has other definitions. Load libraries right after "
      "Session::open",
      name));
}

void Languages::add_library(const std::string &name, std::string_view text) {
  add_text(name, text);
  // Names that other languages defined without a file are compared by their values.
  if (world_.library_end() == std::exchange(libraries_end_, world_.age())) world_.library_is_loaded();
}

Frontend &Languages::of_file(std::string_view file_name) const {
  for (const auto &language : languages_)
    for (std::string_view extension : language->file_extensions())
      if (file_name.ends_with(extension)) return *language;
  return *chosen_;
}

} // namespace kiln
