// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands of kiln cache share: its folder, and looks into entries.
#pragma once

#include "../command.h"
#include "../options.h"
#include <session/session.h>

namespace kiln::tool {

/// The folder that the options name, which need not exist. Error: Usage, if none is named.
Result<std::shared_ptr<FolderStore>> open_cache_folder(const CommonOptions &common);
/// The same for what has nothing to say of a folder that cannot be used. Error: Machine as well. One that
/// does not exist or is empty is usable.
Result<std::shared_ptr<FolderStore>> open_usable_folder(const CommonOptions &common);

/// An entry's content, and the artifact if it is one.
struct Opened {
  std::optional<StoredArtifact> artifact;
  std::optional<std::string> content; ///< nothing: it is damaged, or not there
};
Opened open_entry_of(BlobStore &folder, Fingerprint key);

Action cache_verify_command(CLI::App &app);
Action cache_explain_command(CLI::App &app);

} // namespace kiln::tool
