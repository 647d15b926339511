// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries that a queue's worker had before the run: its sessions publish only new ones.
#pragma once

#include <cache/cache.h>
#include <remote/remote.h>

#include <set>
#include <span>

namespace kiln {

/// Thread-safe.
class HeldEntries {
public:
  /// `folder`: null for an embedder's store, which cannot list its entries.
  HeldEntries(BlobStore &store, FolderStore *folder, AgentClientOptions options);
  /// Gives the agent the entries among `keys` that existed at the start and are missing at the remote store.
  void publish(std::span<const Fingerprint> keys);

private:
  BlobStore &store_;
  std::optional<std::set<Fingerprint>> there_; ///< keys at the start; empty: unknown
  AgentClient agent_;
};

} // namespace kiln
