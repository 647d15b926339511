// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the persistent caches of a session: its folder, shared folder, store and remote stores.
#pragma once

#include <cache/cache.h>
#include <kiln/session.h>
#include <support/support.h>

#include <functional>
#include <memory>

namespace kiln {

/// Opens the cache's folder (cache_folder), with warnings to `warn`. Null if there is none.
std::shared_ptr<FolderStore> open_folder(const SessionOptions &options,
                                         std::function<void(const std::string &)> warn);
/// Opens the shared read-only folder (shared_cache_folder). Null if there is none.
std::shared_ptr<FolderStore> open_shared_folder(const SessionOptions &options,
                                                std::function<void(const std::string &)> warn);
/// Opens the embedder's store (SessionOptions::store). Null if there is none. `log` must outlive it.
std::shared_ptr<BlobStore> open_embedder_store(const SessionOptions &options, const Log &log);
/// Returns options for connecting to this node's agent, which serves these remote stores.
AgentClientOptions agent_options(std::vector<std::string> urls,
                                 std::function<void(const std::string &)> warn);
/// Opens all persistent caches of a session as one object. Null if there are none. Warnings go to `log`.
/// `log` and `timer` must outlive the result.
std::unique_ptr<PersistentCache> open_cache(const SessionOptions &options, Log &log, Timer &timer);

} // namespace kiln
