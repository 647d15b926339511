// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Publishes entries that a worker had before it joined a queue of jobs. Its sessions publish only entries
// that they make.
#pragma once

#include <cache/cache.h>
#include <remote/remote.h>

#include <set>
#include <span>

namespace kiln {

/// Thread-safe.
class HeldEntries {
public:
  /// `folder`: lists the entries that exist now; null for an embedder's store, which cannot list them.
  HeldEntries(BlobStore &store, FolderStore *folder, AgentClientOptions options);
  /// Gives the agent those entries among `keys` that existed when this object was made and that the remote
  /// store lacks.
  void publish(std::span<const Fingerprint> keys);

private:
  BlobStore &store_;
  /// Keys that existed when this object was made; empty: unknown.
  std::optional<std::set<Fingerprint>> there_;
  AgentClient agent_;
};

} // namespace kiln
