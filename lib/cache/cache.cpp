// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache.h"

namespace kiln {

ObjectCache::Claim ObjectCache::claim_key(Fingerprint key, std::shared_ptr<Entry> &entry) {
  Shard &s = shard(key);
  std::lock_guard lock(s.mutex);
  auto [it, fresh] = s.entries.try_emplace(key);
  if (fresh) it->second = std::make_shared<Entry>();
  entry = it->second;
  if (fresh) {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return Claim::Compile;
  }
  std::lock_guard entry_lock(entry->mutex);
  if (entry->done && entry->artifact) {
    hits_.fetch_add(1, std::memory_order_relaxed);
    return Claim::Ready;
  }
  waits_.fetch_add(1, std::memory_order_relaxed);
  return Claim::Wait;
}

Result<ObjectCache::ArtifactPtr> ObjectCache::wait(Entry &entry) {
  std::unique_lock lock(entry.mutex);
  entry.ready.wait(lock, [&] { return entry.done; });
  if (entry.artifact) return entry.artifact;
  return Error(entry.kind, entry.faults);
}

void ObjectCache::publish(Fingerprint key, Entry &entry, const Result<ArtifactPtr> &made) {
  if (!made.ok()) {
    // Errors are not kept: what caused one (a missing toolkit, a definition) may be mended.
    failures_.fetch_add(1, std::memory_order_relaxed);
    Shard &s = shard(key);
    std::lock_guard lock(s.mutex);
    s.entries.erase(key);
  }
  {
    std::lock_guard lock(entry.mutex);
    entry.done = true;
    if (made.ok()) {
      entry.artifact = *made;
    } else {
      entry.kind = made.error().kind();
      entry.faults = made.error().diagnostics();
    }
  }
  entry.ready.notify_all();
}

ObjectCache::ArtifactPtr ObjectCache::find(Fingerprint key) const {
  const Shard &s = shard(key);
  std::lock_guard lock(s.mutex);
  auto it = s.entries.find(key);
  if (it == s.entries.end()) return nullptr;
  std::lock_guard entry_lock(it->second->mutex);
  return it->second->artifact;
}

CacheCounters ObjectCache::counters() const {
  CacheCounters c{hits_.load(), misses_.load(), waits_.load(), failures_.load(), 0};
  for (const Shard &s : shards_) {
    std::lock_guard lock(s.mutex);
    c.entries += s.entries.size();
  }
  return c;
}

void ObjectCache::clear() {
  for (Shard &s : shards_) {
    std::lock_guard lock(s.mutex);
    s.entries.clear();
  }
}

} // namespace kiln
