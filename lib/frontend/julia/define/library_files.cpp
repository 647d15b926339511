// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_files.h"

namespace kiln::julia {

void LibraryFiles::open(std::span<const LibraryFile> files, Load load) {
  files_ = files;
  load_ = std::move(load);
  wanted_.assign(files.size(), false);
  loaded_.assign(files.size(), false);
  for (size_t i = 0; i < files.size(); ++i)
    for (std::string_view trigger : files[i].names) {
      names_.add(trigger);
      waiting_[trigger].push_back(i);
    }
}

void LibraryFiles::want(size_t file) {
  if (wanted_[file]) return;
  wanted_[file] = true;
  for (uint16_t other : files_[file].needs) want(other);
  for (uint16_t other : files_[file].brings) want(other);
}

Result<void> LibraryFiles::load_wanted() {
  std::vector<const LibraryFile *> now;
  {
    std::lock_guard hold(mutex_);
    for (size_t i = 0; i < files_.size(); ++i) {
      if (!wanted_[i] || loaded_[i] || (files_[i].is_for_programs && !has_programs_)) continue;
      loaded_[i] = true;
      now.push_back(&files_[i]);
    }
  }
  for (const LibraryFile *file : now) KILN_CHECK(load_(*file));
  return {};
}

Result<void> LibraryFiles::load_at_start() {
  {
    std::lock_guard hold(mutex_);
    for (size_t i = 0; i < files_.size(); ++i)
      if (!files_[i].waits && !files_[i].is_for_programs && files_[i].overlay.empty()) want(i);
  }
  return load_wanted();
}

Result<void> LibraryFiles::load_for_programs() {
  {
    std::lock_guard hold(mutex_);
    has_programs_ = true;
    for (size_t i = 0; i < files_.size(); ++i)
      if (!files_[i].waits && files_[i].is_for_programs) want(i);
  }
  return load_wanted();
}

Result<void> LibraryFiles::load_for_package() {
  {
    std::lock_guard hold(mutex_);
    for (size_t i = 0; i < files_.size(); ++i)
      if (files_[i].loads_with_packages) want(i);
  }
  return load_wanted();
}

Result<void> LibraryFiles::load_for(std::span<const std::string_view> triggers) {
  if (triggers.empty()) return {};
  {
    std::lock_guard hold(mutex_);
    for (std::string_view trigger : triggers)
      if (auto files = waiting_.find(trigger); files != waiting_.end())
        for (size_t i : files->second) want(i);
  }
  return load_wanted();
}

} // namespace kiln::julia
