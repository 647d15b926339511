// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "persistent.h"

#include "entry.h"

namespace kiln {

namespace {
constexpr std::chrono::milliseconds get_limit{1000}, put_limit{10000};
} // namespace

PersistentCache::PersistentCache(std::shared_ptr<BlobStore> store, std::shared_ptr<FolderStore> folder,
                                 std::function<void(const std::string &)> warn, bool wants_check,
                                 Timer *timer)
    : store_(std::move(store)), folder_(std::move(folder)), warn_(std::move(warn)), wants_check_(wants_check),
      timer_(timer) {}

PersistentCache::~PersistentCache() { flush(); }

void PersistentCache::flush() {
  publisher_.flush();
  if (!folder_) return;
  std::lock_guard lock(told_mutex_);
  const FolderStore::Counts now{hits_.load(), misses_.load()};
  folder_->add_counts({now.hits - told_.hits, now.misses - told_.misses});
  told_ = now;
}

std::optional<std::string> PersistentCache::load(Fingerprint key) {
  StageScope scope(timer_, Stage::CacheRead);
  std::optional<std::string> entry = get_blob(*store_, key, get_limit);
  if (!entry) return std::nullopt;
  Result<std::string> content = open_entry(key, *entry);
  if (content.ok()) return std::move(*content);
  drop_damaged(key, content.error());
  return std::nullopt;
}

void PersistentCache::drop_damaged(Fingerprint key, const Error &why) {
  damaged_.fetch_add(1, std::memory_order_relaxed);
  if (warn_)
    warn_(fmt::format("the cached entry {} is left aside: {}", key.hex(), why.diagnostics()[0].message));
  std::vector<Blob> nothing;
  nothing.push_back({key, {}});
  store_->put(std::move(nothing), StoreClock::now() + put_limit);
}

PersistentCache::ArtifactPtr PersistentCache::find(Fingerprint key) {
  std::optional<std::string> content = load(key);
  if (content) {
    Result<StoredArtifact> read = read_artifact(*content);
    if (read.ok()) {
      hits_.fetch_add(1, std::memory_order_relaxed);
      return std::make_shared<const Artifact>(std::move(read->artifact));
    }
    drop_damaged(key, read.error());
  }
  misses_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

std::optional<std::string> PersistentCache::find_content(Fingerprint key) { return load(key); }

PersistentCache::Turn PersistentCache::wait_for_turn(Fingerprint key) {
  using State = FolderStore::KeyLock::State;
  if (!folder_) return {};
  StageScope scope(timer_, Stage::CacheWait);
  FolderStore::KeyLock lock = folder_->try_lock(key);
  if (lock.state != State::Busy) return {nullptr, std::move(lock.held)};
  waited_.fetch_add(1, std::memory_order_relaxed);
  const auto until = StoreClock::now() + patience;
  for (auto pause = std::chrono::microseconds(200); lock.state == State::Busy && StoreClock::now() < until;
       pause = std::min(pause * 2, std::chrono::microseconds(10000))) {
    std::this_thread::sleep_for(pause);
    lock = folder_->try_lock(key);
  }
  // Who held it has published before it let go, unless it failed or was killed.
  return {find(key), std::move(lock.held)};
}

void PersistentCache::publish(std::vector<Fingerprint> keys, ArtifactPtr artifact, EntryNote note,
                              std::shared_ptr<void> lock) {
  if (artifact->session_bound) return;
  StageScope scope(timer_, Stage::CachePublish);
  publisher_.run([this, keys = std::move(keys), artifact = std::move(artifact), note = std::move(note),
                  lock = std::move(lock)]() mutable {
    std::string content = artifact_content(*artifact, note);
    std::vector<Blob> blobs;
    for (Fingerprint key : keys) blobs.push_back({key, seal_entry(key, content)});
    store_->put(std::move(blobs), StoreClock::now() + put_limit);
    published_.fetch_add(keys.size(), std::memory_order_relaxed);
  });
}

void PersistentCache::publish_content(Fingerprint key, std::string content) {
  publisher_.run([this, key, content = std::move(content)] {
    std::vector<Blob> blobs;
    blobs.push_back({key, seal_entry(key, content)});
    store_->put(std::move(blobs), StoreClock::now() + put_limit);
    published_.fetch_add(1, std::memory_order_relaxed);
  });
}

void PersistentCache::report_difference(Fingerprint key, const std::string &what) {
  if (warn_) warn_(fmt::format("the cached entry {} differs from a fresh compile: {}", key.hex(), what));
  store_->put({Blob{key, {}}}, StoreClock::now() + put_limit);
}

PersistentCounters PersistentCache::counters() const {
  return {hits_.load(),   misses_.load(),    published_.load(),  damaged_.load(),
          waited_.load(), edge_hits_.load(), edge_misses_.load()};
}

} // namespace kiln
