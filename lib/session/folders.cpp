// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

#include <cstdlib>
#include <filesystem>

namespace kiln {

static std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string cache_folder(const SessionOptions &options) {
  if (options.cache_dir) return *options.cache_dir;
  if (const char *named = std::getenv("KILN_CACHE_DIR")) return named; // empty: none
  if (std::string cache = environment("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/kiln";
  std::string home = environment("HOME");
  return home.starts_with('/') ? home + "/.cache/kiln" : "";
}

static uint64_t budget_of(const SessionOptions &options) {
  if (options.cache_budget) return options.cache_budget;
  uint64_t mebibytes = std::strtoull(environment("KILN_CACHE_SIZE").c_str(), nullptr, 10);
  return mebibytes ? std::min(mebibytes, uint64_t(1) << 40) << 20 : FolderOptions::default_budget;
}

std::shared_ptr<FolderStore> open_folder(const SessionOptions &options,
                                         std::function<void(const std::string &)> warn) {
  std::string path = cache_folder(options);
  if (path.empty()) return nullptr;
  std::error_code unknown; // the program may change its folder before the cache is first written to
  if (auto whole = std::filesystem::absolute(path, unknown); !unknown) path = whole.string();
  return std::make_shared<FolderStore>(
      FolderOptions{std::move(path), budget_of(options), false, std::move(warn)});
}

std::shared_ptr<FolderStore> open_shared_folder(const SessionOptions &options,
                                                std::function<void(const std::string &)> warn) {
  std::string path =
      options.shared_cache_dir ? *options.shared_cache_dir : environment("KILN_SHARED_CACHE_DIR");
  return path.empty()
             ? nullptr
             : std::make_shared<FolderStore>(FolderOptions{std::move(path), 0, true, std::move(warn)});
}

void Session::State::open_cache() {
  auto warn = [this](const std::string &message) { log.warn("{}", message); };
  std::shared_ptr<FolderStore> folder = open_folder(options, warn);
  std::shared_ptr<FolderStore> below = open_shared_folder(options, warn);
  if (!folder && !below) return;
  std::shared_ptr<BlobStore> store = folder;
  if (below)
    store = folder ? std::make_shared<StackedStore>(folder, below) : std::shared_ptr<BlobStore>(below);
  persistent = std::make_unique<PersistentCache>(std::move(store), std::move(folder), warn,
                                                 options.check_cache, &timer);
  edges = std::make_unique<EdgeCache>(*persistent);
  objects.set_persistent(persistent.get());
  compiler.persistent = persistent.get();
  compiler.edges = edges.get();
}

} // namespace kiln
