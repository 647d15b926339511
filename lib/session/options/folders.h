// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache that outlives sessions.
#pragma once

#include <cache/cache.h>
#include <kiln/session.h>
#include <support/support.h>

#include <functional>
#include <memory>

namespace kiln {

/// The cache's folder (cache_folder), opened, with warnings to `warn`; null if there is none.
std::shared_ptr<FolderStore> open_folder(const SessionOptions &options,
                                         std::function<void(const std::string &)> warn);
/// The read-only one below it; null if there is none.
std::shared_ptr<FolderStore> open_shared_folder(const SessionOptions &options,
                                                std::function<void(const std::string &)> warn);
/// The embedder's own place (SessionOptions::store); null if there is none. `log` must outlive it.
std::shared_ptr<BlobStore> open_embedder_store(const SessionOptions &options, const Log &log);
/// How a session with these remote stores reaches its node's agent.
AgentClientOptions agent_options(std::vector<std::string> urls,
                                 std::function<void(const std::string &)> warn);
/// A session's way to all; null if there is none. Warnings go to `log`, which must outlive it, as `timer`
/// must.
std::unique_ptr<PersistentCache> open_cache(const SessionOptions &options, Log &log, Timer &timer);

} // namespace kiln
