// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries that a worker of a queue had in its folder before: its sessions publish only what they make.
#pragma once

#include <cache/cache.h>
#include <remote/remote.h>

#include <set>
#include <span>

namespace kiln {

/// Thread-safe.
class HeldEntries {
public:
  /// `folder`: null if the entries are in an embedder's store, which cannot list them.
  HeldEntries(BlobStore &store, FolderStore *folder, AgentClientOptions options);
  /// Gives the agent those of the entries that were there at the start, and are not at the remote store.
  void publish(std::span<const Fingerprint> keys);

private:
  BlobStore &store_;
  std::optional<std::set<Fingerprint>> there_; ///< no value: not known
  AgentClient agent_;
};

} // namespace kiln
