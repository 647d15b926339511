// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "folders.h"

#include "embedder_store.h"
#include "environment.h"
#include "worker_program.h"

#include <session/build_digest.h>

#include <filesystem>

namespace kiln {

std::shared_ptr<FolderStore> open_folder(const SessionOptions &options,
                                         std::function<void(const std::string &)> warn) {
  std::string path = cache_folder(options);
  if (path.empty()) return nullptr;
  // Makes the path absolute, since the program may change its working folder before the first write.
  std::error_code unknown;
  if (auto whole = std::filesystem::absolute(path, unknown); !unknown) path = whole.string();
  return std::make_shared<FolderStore>(
      FolderOptions{std::move(path), cache_budget(options), false, std::move(warn)});
}

std::shared_ptr<FolderStore> open_shared_folder(const SessionOptions &options,
                                                std::function<void(const std::string &)> warn) {
  std::string path = shared_cache_folder(options);
  return path.empty()
             ? nullptr
             : std::make_shared<FolderStore>(FolderOptions{std::move(path), 0, true, std::move(warn)});
}

std::shared_ptr<BlobStore> open_embedder_store(const SessionOptions &options, const Log &log) {
  return options.store ? std::make_shared<EmbedderStore>(options.store, options.store_expiry, log) : nullptr;
}

AgentClientOptions agent_options(std::vector<std::string> urls,
                                 std::function<void(const std::string &)> warn) {
  return {.remotes = std::move(urls),
          .build = std::string(build_digest()),
          .socket_path = agent_socket_path(),
          .program = find_agent_program(),
          .warn = std::move(warn)};
}

std::unique_ptr<PersistentCache> open_cache(const SessionOptions &options, Log &log, Timer &timer) {
  auto warn = [&log](const std::string &message) { log.warn("{}", message); };
  std::shared_ptr<FolderStore> folder = options.store ? nullptr : open_folder(options, warn);
  std::shared_ptr<FolderStore> below = open_shared_folder(options, warn);
  std::shared_ptr<BlobStore> store = folder;
  if (options.store) store = open_embedder_store(options, log);
  const std::vector<std::string> urls = remote_stores(options);
  if (!store && !below && urls.empty()) return nullptr;
  if (below) store = store ? std::make_shared<StackedStore>(store, below) : std::shared_ptr<BlobStore>(below);
  std::unique_ptr<AgentClient> remote;
  if (!urls.empty()) remote = std::make_unique<AgentClient>(agent_options(urls, warn));
  auto cache = std::make_unique<PersistentCache>(std::move(store), std::move(folder), warn,
                                                 options.check_cache, &timer, std::move(remote));
  if (!may_compile(options)) cache->require_entries();
  return cache;
}

} // namespace kiln
