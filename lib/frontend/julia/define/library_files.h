// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks which of Kiln's library files are loaded, and which wait for a name, a package or a program
// (docs/library.md).
#pragma once

#include <kiln/extension/language/internal/library_file.h>
#include <kiln/result.h>
#include <syntax/syntax.h>

#include <functional>
#include <mutex>

namespace kiln::julia {

/// Kiln's library files, and the conditions for which they wait. A file loads when its conditions are met,
/// together with all files that its manifest line needs or brings. Files of the host library also wait for
/// load_for_programs(). Thread-safe. load() runs without a lock: a second thread that requests a file does
/// not wait for the first one to load it.
class LibraryFiles {
public:
  using Load = std::function<Result<void>(const LibraryFile &)>;
  /// Sets the files and the function that loads one. `files` and their text must outlive this object. Loads
  /// no file.
  void open(std::span<const LibraryFile> core, std::span<const LibraryFile> host, Load load);

  const WatchedNames &names() const { return names_; }
  /// Loads the files that wait for nothing, except for overlays of targets.
  Result<void> load_at_start();
  Result<void> load_for_programs();
  Result<void> load_for_package();
  /// Loads files that wait for one of these triggers.
  Result<void> load_for(std::span<const std::string_view> triggers);

private:
  void request(size_t file); ///< also requests the files that it needs and brings; call it under mutex_
  Result<void> load_requested();

  std::vector<const LibraryFile *> files_;  ///< core files, then host library files
  std::vector<std::vector<size_t>> brings_; ///< per file
  size_t num_core_ = 0;
  Load load_;
  WatchedNames names_;
  std::unordered_map<std::string_view, std::vector<size_t>> waiting_; ///< trigger -> files
  std::mutex mutex_;
  std::vector<bool> requested_, loaded_; ///< per file
  bool has_programs_ = false;
};

} // namespace kiln::julia
