// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_files.h"

namespace kiln::julia {

void LibraryFiles::open(std::span<const LibraryFile> core, std::span<const LibraryFile> host, Load load) {
  load_ = std::move(load);
  num_core_ = core.size();
  for (const std::span<const LibraryFile> table : {core, host})
    for (const LibraryFile &file : table) files_.push_back(&file);
  brings_.resize(files_.size());
  requested_.assign(files_.size(), false);
  loaded_.assign(files_.size(), false);
  for (size_t i = 0; i < files_.size(); ++i) {
    if (files_[i]->with >= 0) brings_[size_t(files_[i]->with)].push_back(i);
    for (std::string_view trigger : files_[i]->names) {
      names_.add(trigger);
      waiting_[trigger].push_back(i);
    }
  }
}

void LibraryFiles::request(size_t file) {
  if (requested_[file]) return;
  requested_[file] = true;
  for (uint16_t other : files_[file]->needs) request(other);
  for (size_t other : brings_[file]) request(other);
}

Result<void> LibraryFiles::load_requested() {
  std::vector<const LibraryFile *> now;
  {
    std::lock_guard hold(mutex_);
    for (size_t i = 0; i < files_.size(); ++i) {
      if (!requested_[i] || loaded_[i] || (i >= num_core_ && !has_programs_)) continue;
      loaded_[i] = true;
      now.push_back(files_[i]);
    }
  }
  for (const LibraryFile *file : now) KILN_CHECK(load_(*file));
  return {};
}

Result<void> LibraryFiles::load_at_start() {
  {
    std::lock_guard hold(mutex_);
    for (size_t i = 0; i < num_core_; ++i)
      if (!files_[i]->waits && files_[i]->overlay.empty()) request(i);
  }
  return load_requested();
}

Result<void> LibraryFiles::load_for_programs() {
  {
    std::lock_guard hold(mutex_);
    has_programs_ = true;
    for (size_t i = num_core_; i < files_.size(); ++i)
      if (!files_[i]->waits) request(i);
  }
  return load_requested();
}

Result<void> LibraryFiles::load_for_package() {
  {
    std::lock_guard hold(mutex_);
    for (size_t i = 0; i < files_.size(); ++i)
      if (files_[i]->loads_with_packages) request(i);
  }
  return load_requested();
}

Result<void> LibraryFiles::load_for(std::span<const std::string_view> triggers) {
  if (triggers.empty()) return {};
  {
    std::lock_guard hold(mutex_);
    for (std::string_view trigger : triggers)
      if (auto files = waiting_.find(trigger); files != waiting_.end())
        for (size_t i : files->second) request(i);
  }
  return load_requested();
}

} // namespace kiln::julia
