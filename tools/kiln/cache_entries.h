// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of kiln cache that look into entries.
#pragma once

#include "cache.h"

namespace kiln::tool {

/// An entry's content, and the artifact if it is one.
struct Opened {
  std::optional<StoredArtifact> artifact;
  std::optional<std::string> content; ///< nothing: it is damaged, or not there
};
Opened open_entry_of(BlobStore &folder, Fingerprint key);

Result<void> verify(const CommonOptions &common, const CacheOptions &options, FolderStore &folder);
Result<void> explain(const CommonOptions &common, const CompileOptions &options, FolderStore &folder);

} // namespace kiln::tool
