// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "persistent.h"

#include "entry.h"

#include <support/cancellation.h>

#include <random>

namespace kiln {

namespace {
constexpr std::chrono::milliseconds get_limit{1000}, put_limit{10000};
} // namespace

PersistentCache::PersistentCache(std::shared_ptr<BlobStore> store, std::shared_ptr<FolderStore> folder,
                                 std::function<void(const std::string &)> warn, bool wants_check,
                                 Timer *timer, std::unique_ptr<AgentClient> remote)
    : store_(std::move(store)), folder_(std::move(folder)), warn_(std::move(warn)), wants_check_(wants_check),
      timer_(timer), remote_(std::move(remote)), leases_(store_) {}

PersistentCache::~PersistentCache() { flush(); }

void PersistentCache::flush() {
  publisher_.flush();
  if (!folder_) return;
  std::lock_guard lock(counts_mutex_);
  FolderStore::Counts now{hits_.load(), misses_.load()};
  FolderStore::Counts fresh{now.hits - published_counts_.hits, now.misses - published_counts_.misses};
  for (size_t i = 0; i < num_miss_causes; i++) {
    now.made[i] = made_[i].load();
    fresh.made[i] = now.made[i] - published_counts_.made[i];
  }
  folder_->add_counts(fresh);
  published_counts_ = now;
}

std::optional<std::string> PersistentCache::load(Fingerprint key) {
  if (!store_) return std::nullopt;
  StageScope scope(timer_, Stage::CacheRead);
  std::optional<std::string> entry = store_ahead_.take({key.high, key.low});
  if (!entry) entry = get_blob(*store_, key, get_limit);
  if (!entry) return std::nullopt;
  Result<std::string> content = open_entry(key, *entry);
  if (content.ok()) return std::move(*content);
  drop_damaged(key, content.error());
  return std::nullopt;
}

std::optional<std::string> PersistentCache::load_remote(const Fingerprint &key,
                                                        RemoteLookup::Purpose purpose) {
  if (!remote_) return std::nullopt;
  StageScope scope(timer_, Stage::CacheRemote);
  return look_up_remote(key, purpose).wait();
}

std::vector<bool> PersistentCache::read_ahead(const std::vector<Fingerprint> &keys) {
  StageScope scope(timer_, Stage::CacheRemote);
  std::vector<bool> is_here(keys.size());
  if (store_) {
    BlobStore::Found found = get_blobs(*store_, keys, get_limit);
    for (size_t i = 0; i < found.size(); i++)
      if ((is_here[i] = found[i].has_value()))
        store_ahead_.add({keys[i].high, keys[i].low}, std::move(*found[i]));
  }
  if (!remote_) return is_here;
  std::vector<RemoteName> names;
  for (size_t i = 0; i < keys.size(); i++)
    if (!is_here[i] && keys[i].is_strong() && !remote_ahead_.has(keys[i].strong))
      names.push_back(keys[i].strong);
  for (AgentPut::Entry &entry : remote_->fetch_many(std::move(names)))
    remote_ahead_.add(entry.name, std::move(entry.bytes));
  for (size_t i = 0; i < keys.size(); i++)
    if (!is_here[i] && keys[i].is_strong()) is_here[i] = remote_ahead_.has(keys[i].strong);
  return is_here;
}

PersistentCache::ArtifactPtr PersistentCache::read_remote(const Fingerprint &key, std::string_view content) {
  Result<StoredArtifact> read = read_artifact(content);
  if (read.ok()) return artifact_of(std::move(*read));
  if (warn_)
    warn_(fmt::format("the remote entry {} is left aside: {}", key.hex(),
                      read.error().diagnostics()[0].message));
  return nullptr;
}

void PersistentCache::keep_remote(std::vector<Fingerprint> keys, std::string content,
                                  std::shared_ptr<void> lock) {
  publisher_.run([this, keys = std::move(keys), content = std::move(content), lock = std::move(lock)] {
    std::vector<Blob> blobs;
    for (const Fingerprint &each : keys) blobs.push_back({each, seal_entry(each, content)});
    put(std::move(blobs), Reach::Machine);
  });
}

PersistentCache::ArtifactPtr PersistentCache::find_anywhere(const Fingerprint &key) {
  if (ArtifactPtr found = find(key)) return found;
  std::optional<std::string> content = load_remote(key, RemoteLookup::Purpose::Read);
  ArtifactPtr found = content ? read_remote(key, *content) : nullptr;
  if (found) keep_remote({key}, std::move(*content));
  return found;
}

void PersistentCache::put(std::vector<Blob> blobs, Reach reach, const RemoteName *next) {
  std::vector<AgentPut::Entry> entries;
  if (remote_ && reach == Reach::Fleet)
    for (const Blob &blob : blobs)
      if (blob.key.is_strong())
        entries.push_back({blob.key.strong, next ? with_next(blob.bytes, *next) : blob.bytes});
  if (store_) store_->put(std::move(blobs), StoreClock::now() + put_limit);
  if (entries.empty()) return;
  remote_counts_.published.fetch_add(remote_->put(std::move(entries)), std::memory_order_relaxed);
}

void PersistentCache::drop_damaged(Fingerprint key, const Error &why) {
  damaged_.fetch_add(1, std::memory_order_relaxed);
  if (warn_)
    warn_(fmt::format("the cached entry {} is left aside: {}", key.hex(), why.diagnostics()[0].message));
  put({Blob{key, {}}}, Reach::Machine);
}

PersistentCache::ArtifactPtr PersistentCache::artifact_of(StoredArtifact stored) {
  costs_.note(stored.artifact.kind, stored.note.compile_ms);
  return std::make_shared<const Artifact>(std::move(stored.artifact));
}

PersistentCache::ArtifactPtr PersistentCache::find(Fingerprint key) {
  ArtifactPtr found = find_published(key);
  if (!found) misses_.fetch_add(1, std::memory_order_relaxed);
  return found;
}

PersistentCache::ArtifactPtr PersistentCache::find_published(Fingerprint key) {
  const std::optional<std::string> content = load(key);
  if (!content) return nullptr;
  Result<StoredArtifact> read = read_artifact(*content);
  if (read.ok()) {
    hits_.fetch_add(1, std::memory_order_relaxed);
    return artifact_of(std::move(*read));
  }
  drop_damaged(key, read.error());
  return nullptr;
}

std::optional<std::string> PersistentCache::find_content(Fingerprint key, Reach reach) {
  std::optional<std::string> content = load(key);
  if (content || reach == Reach::Machine) return content;
  content = load_remote(key, RemoteLookup::Purpose::Record);
  if (content) publish_content(key, *content);
  return content;
}

/// Maximum wait for another session that compiles the same key. That session may itself wait for another
/// machine first.
std::chrono::microseconds PersistentCache::turn_limit(ArtifactKind product) const {
  return std::clamp<std::chrono::microseconds>(4 * costs_.estimate(product), patience, max_patience);
}

PersistentCache::Turn PersistentCache::wait_for_turn(Fingerprint key, ArtifactKind product) {
  using State = FolderStore::KeyLock::State;
  if (!folder_) return wait_for_lease(key, product);
  StageScope scope(timer_, Stage::CacheWait);
  FolderStore::KeyLock lock = folder_->try_lock(key);
  if (lock.state == State::Unavailable) return {};
  if (lock.state == State::Held) // another process may have published since the caller's lookup
    return {find_published(key), std::move(lock.held), false};
  waited_.fetch_add(1, std::memory_order_relaxed);
  const auto until = StoreClock::now() + turn_limit(product);
  for (auto pause = std::chrono::microseconds(200);
       lock.state == State::Busy && StoreClock::now() < until && !cancellation_requested();
       pause = std::min(pause * 2, std::chrono::microseconds(10000))) {
    std::this_thread::sleep_for(pause);
    lock = folder_->try_lock(key);
  }
  // The process that held the lock published its artifact before the release, unless it failed or was killed.
  return {find_published(key), std::move(lock.held), true};
}

PersistentCache::Turn PersistentCache::wait_for_lease(const Fingerprint &key, ArtifactKind product) {
  using State = StoreLease::State;
  if (!store_) return {};
  StageScope scope(timer_, Stage::CacheWait);
  StoreLeases::Lease lease = leases_.acquire(key);
  if (lease.state == State::None) return {};
  const bool has_waited = lease.state == State::Held;
  if (has_waited) lease_waits_.fetch_add(1, std::memory_order_relaxed);
  const auto until = StoreClock::now() + turn_limit(product);
  thread_local std::minstd_rand random(std::random_device{}()); // spreads sessions that started together
  std::uniform_int_distribution<int> spread(750, 1250);
  for (std::chrono::microseconds pause{2000};
       lease.state == State::Held && StoreClock::now() < until && !cancellation_requested();
       pause = std::min(pause * 2, std::chrono::microseconds(50'000))) {
    std::this_thread::sleep_for(pause * spread(random) / 1000);
    lease = leases_.acquire(key);
  }
  if (lease.state == State::Granted) leases_got_.fetch_add(1, std::memory_order_relaxed);
  // The session that held the lease publishes its artifact before it releases the lease. Look again, since it
  // may have finished after the last lookup.
  return {find_published(key), std::move(lease.held), has_waited, lease.token};
}

void PersistentCache::publish(std::vector<Fingerprint> keys, ArtifactPtr artifact, EntryNote note,
                              std::shared_ptr<void> lock, uint64_t token) {
  costs_.note(artifact->kind, note.compile_ms);
  if (artifact->session_bound) return;
  StageScope scope(timer_, Stage::CachePublish);
  publisher_.run([this, keys = std::move(keys), artifact = std::move(artifact), note = std::move(note),
                  lock = std::move(lock), token]() mutable {
    std::string content = artifact_content(*artifact, note);
    std::vector<Blob> blobs;
    for (const Fingerprint &key : keys) blobs.push_back({key, seal_entry(key, content)});
    blobs[0].token = token;
    put(std::move(blobs), Reach::Fleet);
    published_.fetch_add(keys.size(), std::memory_order_relaxed);
  });
}

void PersistentCache::publish_content(Fingerprint key, std::string content, Reach reach,
                                      const Fingerprint *next) {
  const auto name = next && next->is_strong() ? std::optional(next->strong) : std::nullopt;
  publisher_.run([this, key, content = std::move(content), reach, name] {
    put({Blob{key, seal_entry(key, content)}}, reach, name ? &*name : nullptr);
    published_.fetch_add(1, std::memory_order_relaxed);
  });
}

void PersistentCache::report_difference(Fingerprint key, const std::string &what) {
  if (warn_) warn_(fmt::format("the cached entry {} differs from a fresh compile: {}", key.hex(), what));
  put({Blob{key, {}}}, Reach::Machine);
}

PersistentCounters PersistentCache::counters() const {
  PersistentCounters now{.hits = hits_.load(),
                         .misses = misses_.load(),
                         .published = published_.load(),
                         .damaged = damaged_.load(),
                         .waited = waited_.load(),
                         .edge_hits = edge_hits_.load(),
                         .edge_misses = edge_misses_.load(),
                         .remote_requests = remote_counts_.requests.load(),
                         .remote_hits = remote_counts_.hits.load(),
                         .remote_misses = remote_counts_.misses.load(),
                         .remote_errors = remote_counts_.errors.load(),
                         .remote_late = remote_counts_.late.load(),
                         .remote_published = remote_counts_.published.load(),
                         .remote_missing = remote_counts_.missing.load(),
                         .remote_joined = remote_counts_.joined.load(),
                         .remote_compiled = remote_counts_.compiled.load(),
                         .store_leases = leases_got_.load(),
                         .store_waits = lease_waits_.load(),
                         .store =
                             store_ ? store_->statistics().value_or(StoreStatistics()) : StoreStatistics()};
  return now;
}

} // namespace kiln
