// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files of Kiln's library are loaded, and which wait for a name, a package or a program
// (docs/library.md).
#pragma once

#include <kiln/extension/language/internal/library_file.h>
#include <kiln/result.h>
#include <syntax/syntax.h>

#include <functional>
#include <mutex>

namespace kiln::julia {

/// The tables of library files with what is left of them. A file whose conditions are met loads with all that
/// it needs and brings; files of the host library also wait for load_for_programs. Thread-safe, but load()
/// runs without a lock: a second thread that asks for a file goes on while the first one loads it.
class LibraryFiles {
public:
  using Load = std::function<Result<void>(const LibraryFile &)>;
  /// `files` and their text must outlive this. Loads nothing.
  void open(std::span<const LibraryFile> core, std::span<const LibraryFile> host, Load load);

  const WatchedNames &names() const { return names_; }
  /// Files that wait for nothing; overlays of targets stay out.
  Result<void> load_at_start();
  Result<void> load_for_programs();
  Result<void> load_for_package();
  /// Files that wait for one of these triggers.
  Result<void> load_for(std::span<const std::string_view> triggers);

private:
  void want(size_t file); ///< with what it needs and brings; under mutex_
  Result<void> load_wanted();

  std::vector<const LibraryFile *> files_;  ///< the core's, then the host library's
  std::vector<std::vector<size_t>> brings_; ///< by file
  size_t num_core_ = 0;
  Load load_;
  WatchedNames names_;
  std::unordered_map<std::string_view, std::vector<size_t>> waiting_; ///< trigger -> files
  std::mutex mutex_;
  std::vector<bool> wanted_, loaded_; ///< by file
  bool has_programs_ = false;
};

} // namespace kiln::julia
