// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cache/cache.h>
#include <kiln/cache.h>
#include <support/support.h>

#include <memory>
#include <optional>
#include <string>

namespace kiln {

struct CacheFolder::State {
  SessionOptions options;
  Log log; ///< for the folder's warnings
  std::shared_ptr<FolderStore> folder;
};

/// Content of a stored entry, and the artifact in it, if it is one.
struct OpenedEntry {
  std::optional<StoredArtifact> artifact;
  std::optional<std::string> content; ///< empty: damaged or missing
};
OpenedEntry read_stored_entry(BlobStore &store, Fingerprint key);
/// `nanoseconds`: since 1970.
std::chrono::system_clock::time_point time_point_of(int64_t nanoseconds);

} // namespace kiln
