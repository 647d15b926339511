// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache.h"

#include "remote_race.h"

#include <job/product_name.h>

#include <algorithm>
#include <optional>

namespace kiln {

namespace {

/// Source of an artifact, or the reason for its compile, for the timing report. through_store() sets it,
/// publish() reads it.
struct Answer {
  const char *answer = nullptr, *reason = "";
  std::optional<TimingProduct> product = {};
};
thread_local Answer found_out;

void note_answer(const Artifact &artifact, const Answer &answer) {
  if (Timer *timer = Timer::of_thread())
    timer->note_lookup(product_name(artifact.kind), answer.answer, answer.reason);
}

/// Notes the source of an artifact that was not in memory in the timing report.
void note_product(const Fingerprint &key, const Artifact &artifact, TimingProduct product) {
  Timer *timer = Timer::of_thread();
  if (!timer) return;
  product.key = key.hex();
  product.product = product_name(artifact.kind);
  product.end = Timer::now();
  // An artifact that did not come from get() has no start, so its time counts as 0.
  if (product.start == 0) product.start = product.end;
  timer->note_product(std::move(product));
}

uint64_t nanoseconds_of(std::chrono::nanoseconds time) {
  return uint64_t(std::max<int64_t>(time.count(), 0));
}

/// Records a use of an entry: advances the cache's use counter and stores its value. Eviction compares the
/// stored values.
void touch(std::atomic<uint64_t> &clock, std::atomic<uint64_t> &used) {
  used.store(clock.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Returns the bytes that an artifact counts against the budget: its text, and its overhead in the table.
size_t cost(const Artifact &artifact) {
  return 512 + artifact.bytes.capacity() + artifact.entry.capacity() +
         artifact.parameters.capacity() * sizeof(artifact.parameters[0]);
}
} // namespace

ObjectCache::Claim ObjectCache::claim_key(Fingerprint key, std::shared_ptr<Entry> &entry) {
  Shard &s = shard(key);
  std::lock_guard lock(s.mutex);
  auto [it, fresh] = s.entries.try_emplace(key);
  if (fresh) it->second = std::make_shared<Entry>();
  entry = it->second;
  touch(clock_, entry->used);
  if (fresh) {
    entry->maker = std::this_thread::get_id();
    return Claim::Compile;
  }
  std::lock_guard entry_lock(entry->mutex);
  if (entry->done && entry->artifact) {
    hits_.fetch_add(1, std::memory_order_relaxed);
    note_answer(*entry->artifact, {"memory"});
    return Claim::Ready;
  }
  waits_.fetch_add(1, std::memory_order_relaxed);
  return Claim::Wait;
}

Result<ObjectCache::ArtifactPtr> ObjectCache::wait(Entry &entry) {
  StageScope scope(Timer::of_thread(), Stage::WaitForArtifact);
  std::optional<CancellationCallback> stop; // constructed before `lock`, because its callback takes the mutex
  const Cancellation *cancellation = current_cancellation();
  if (cancellation)
    stop.emplace(*cancellation, [&entry] {
      {
        std::lock_guard lock(entry.mutex);
      } // locking once ensures that the waiting thread is asleep or has not yet tested for cancellation
      entry.ready.notify_all();
    });
  std::unique_lock lock(entry.mutex);
  if (!entry.done && entry.maker == std::this_thread::get_id())
    return usage_error(
        "a compile needs its own product: a callback that it calls (of a language or a hook) asks for "
        "the same job");
  entry.ready.wait(lock, [&] { return entry.done || (cancellation && cancellation->is_stopped()); });
  if (!entry.done) {
    lock.unlock();
    KILN_CHECK(cancellation->check());
  }
  if (entry.artifact) note_answer(*entry.artifact, {"another thread", "it was making the same"});
  if (entry.faults.empty()) return entry.artifact;
  return Error(entry.faults);
}

ObjectCache::Taken ObjectCache::take(Fingerprint key) {
  Taken taken;
  Shard &s = shard(key);
  std::lock_guard lock(s.mutex);
  auto [it, fresh] = s.entries.try_emplace(key);
  if (!fresh) return taken;
  it->second = std::make_shared<Entry>();
  touch(clock_, it->second->used);
  taken.key_ = key;
  taken.entry_ = it->second;
  return taken;
}

void ObjectCache::fill(Taken taken, ArtifactPtr artifact, Origin origin) {
  if (origin == Origin::Store) found_out = {"folder", "", TimingProduct{.found = "folder"}};
  publish(taken.key_, *taken.entry_, Result<ArtifactPtr>(std::move(artifact)));
}

Result<ObjectCache::ArtifactPtr> ObjectCache::join(Fingerprint key) {
  std::shared_ptr<Entry> entry;
  {
    Shard &s = shard(key);
    std::lock_guard lock(s.mutex);
    auto it = s.entries.find(key);
    if (it == s.entries.end()) return ArtifactPtr();
    entry = it->second;
    touch(clock_, entry->used);
  }
  Result<ArtifactPtr> theirs = wait(*entry);
  if (!theirs.ok() && is_stop(theirs.error()) && !cancellation_requested()) return ArtifactPtr();
  return theirs;
}

ObjectCache::ArtifactPtr ObjectCache::put(Fingerprint key, ArtifactPtr artifact, Origin origin) {
  if (Taken taken = take(key)) {
    fill(std::move(taken), artifact, origin);
    return artifact;
  }
  const ArtifactPtr there = find(key);
  return there ? there : artifact;
}

void ObjectCache::publish(Fingerprint key, Entry &entry, const Result<ArtifactPtr> &made, uint64_t began) {
  const bool is_kept = made.ok() && *made;
  Answer answer = std::exchange(found_out, {});
  if (is_kept) {
    if (!answer.answer)
      answer = {"made", persistent_ ? "not in memory" : "not in memory, and there is no folder"};
    note_answer(**made, answer);
    if (!answer.product) {
      answer.product = TimingProduct{.found = "compiled", .start = began};
      if (began) answer.product->compile = Timer::now() - began;
    }
    note_product(key, **made, *std::move(answer.product));
  }
  if (!is_kept) {
    // An error is not cached: the user may fix its cause, such as a missing toolkit.
    if (!made.ok()) failures_.fetch_add(1, std::memory_order_relaxed);
    Shard &s = shard(key);
    std::lock_guard lock(s.mutex);
    s.entries.erase(key);
  }
  {
    std::lock_guard lock(entry.mutex);
    entry.done = true;
    if (is_kept) {
      entry.artifact = *made;
      entry.bytes = cost(**made);
      bytes_.fetch_add(entry.bytes, std::memory_order_relaxed);
    } else if (!made.ok()) {
      entry.faults = made.error().diagnostics();
    }
  }
  entry.ready.notify_all();
  keep_to_budget();
}

std::shared_ptr<const void> ObjectCache::find_attached(Fingerprint key, const Artifact &artifact,
                                                       const void *owner) const {
  const Shard &s = shard(key);
  std::lock_guard lock(s.mutex);
  auto it = s.entries.find(key);
  if (it == s.entries.end()) return nullptr;
  std::lock_guard entry_lock(it->second->mutex);
  if (it->second->artifact.get() != &artifact) return nullptr;
  for (const auto &[of, object] : it->second->attached)
    if (of == owner) return object;
  return nullptr;
}

std::shared_ptr<const void> ObjectCache::attach_object(Fingerprint key, const Artifact &artifact,
                                                       const void *owner, std::shared_ptr<const void> made,
                                                       size_t bytes) {
  {
    Shard &s = shard(key);
    std::lock_guard lock(s.mutex);
    auto it = s.entries.find(key);
    if (it == s.entries.end()) return made;
    Entry &entry = *it->second;
    std::lock_guard entry_lock(entry.mutex);
    if (entry.artifact.get() != &artifact) return made;
    for (const auto &[of, object] : entry.attached)
      if (of == owner) return object;
    entry.attached.emplace_back(owner, made);
    entry.bytes += bytes;
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  keep_to_budget();
  return made;
}

/// Evicts artifacts above the budget. Frees them outside of all locks, because unloading code takes long.
void ObjectCache::keep_to_budget() {
  if (bytes_.load(std::memory_order_relaxed) > budget_) evict();
}

// Gets an artifact that is not in memory. The order: the folder; another process that compiles the same key;
// the remote store; a compile in this process. An entry that the remote store sent ahead comes first, because
// the background thread may not have written it to the folder yet.
Result<ObjectCache::ArtifactPtr> ObjectCache::through_store(
    Fingerprint key, const std::function<Result<ArtifactPtr>()> &compile, const PersistPolicy &policy) {
  auto usable = [&](const ArtifactPtr &found) {
    return found && (!policy.accepts || policy.accepts(*found));
  };
  TimingProduct how{.found = "folder", .start = Timer::now()};
  const bool is_ahead = persistent_->is_ahead(key);
  ArtifactPtr found = is_ahead ? nullptr : persistent_->find(key);
  if (usable(found)) {
    Result<ArtifactPtr> taken = checked(key, std::move(found), compile, policy);
    found_out = {"folder", "", how};
    return taken;
  }
  const auto asked = std::chrono::steady_clock::now();
  PersistentCache::Turn turn =
      is_ahead ? PersistentCache::Turn() : persistent_->wait_for_turn(key, policy.product);
  if (turn.has_waited) how.wait = nanoseconds_of(std::chrono::steady_clock::now() - asked);
  if (usable(turn.artifact)) {
    Result<ArtifactPtr> taken = checked(key, std::move(turn.artifact), compile, policy);
    how.found = "process";
    found_out = {"another process", "it was making the same", how};
    return taken;
  }
  std::vector<Fingerprint> keys{key};
  if (policy.also_under) keys.push_back(*policy.also_under);
  RemoteRace race(*persistent_, key, policy.product, usable);
  auto note_wait = [&] {
    how.wait += nanoseconds_of(race.waited().time);
    how.waited_for = race.waited().holder;
  };
  auto take_remote = [&](const char *why, const char *as) {
    how.found = as;
    if (policy.found) policy.found(*race.artifact());
    persistent_->keep_remote(std::move(keys), race.take_content(), std::move(turn.lock));
    found_out = {"remote", why, how};
    return race.artifact();
  };
  const bool has_won = race.wins_at_once();
  note_wait();
  if (has_won) return take_remote("not in the folder", race.waited().was_told ? "joined" : "remote");
  const char *reason = found ? "the folder's was made with another device library"
                       : persistent_->has_remote()
                           ? "neither in memory nor in the folder nor in the remote store"
                           : "neither in memory nor in the folder";
  const auto began = std::chrono::steady_clock::now();
  Result<ArtifactPtr> outcome = race.run([&] { return fresh(compile); });
  how.compile = nanoseconds_of(std::chrono::steady_clock::now() - began);
  if (race.artifact()) return take_remote("it came while the code was compiled", "hedged");
  KILN_TRY(ArtifactPtr made, std::move(outcome));
  if (!made) return made;
  EntryNote note{policy.fields ? policy.fields() : std::vector<KeyField>(),
                 std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count()};
  using Held = std::pair<std::shared_ptr<void>, std::shared_ptr<void>>;
  auto held = std::make_shared<Held>(std::move(turn.lock), race.take_lease());
  persistent_->publish(std::move(keys), made, std::move(note), std::move(held), turn.token);
  persistent_->count_made(found ? MissCause::OtherDeviceLibrary : policy.cause);
  how.found = "compiled";
  found_out = {"made", reason, how};
  return made;
}

Result<ObjectCache::ArtifactPtr> ObjectCache::checked(Fingerprint key, ArtifactPtr found,
                                                      const std::function<Result<ArtifactPtr>()> &compile,
                                                      const PersistPolicy &policy) {
  if (!persistent_->wants_check()) {
    if (policy.found) policy.found(*found);
    return found;
  }
  KILN_TRY(ArtifactPtr made, fresh(compile));
  if (!made) return made;
  if (!made->session_bound && artifact_content(*made, {}) == artifact_content(*found, {})) return found;
  persistent_->report_difference(
      key, fmt::format("{} bytes, and {} when it is compiled now", found->bytes.size(), made->bytes.size()));
  return internal_error(fmt::format("the cache held code for {} that a compile does not give (entry {})",
                                    made->entry, key.hex()));
}

// Drops the least recently used entries, down to seven eighths of the budget. The walk over all entries is
// slow, and the extra eighth makes it rare. A key under compilation stays, so that no compile runs twice.
std::vector<std::shared_ptr<ObjectCache::Entry>> ObjectCache::evict() {
  std::lock_guard evicting(evicting_);
  struct Candidate {
    uint64_t used;
    Fingerprint key;
    size_t bytes;
  };
  const std::unordered_set<const Artifact *> in_use =
      users_ ? users_() : std::unordered_set<const Artifact *>();
  std::vector<Candidate> candidates;
  size_t total = 0;
  for (Shard &s : shards_) {
    std::lock_guard lock(s.mutex);
    for (auto &[key, entry] : s.entries) {
      std::lock_guard entry_lock(entry->mutex);
      if (!entry->bytes) continue;
      if (in_use.contains(entry->artifact.get())) touch(clock_, entry->used);
      candidates.push_back({entry->used.load(std::memory_order_relaxed), key, entry->bytes});
      total += entry->bytes;
    }
  }
  std::vector<std::shared_ptr<Entry>> evicted;
  if (total <= budget_) return evicted; // another thread was faster
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate &a, const Candidate &b) { return a.used < b.used; });
  for (const Candidate &c : candidates) {
    if (total <= budget_ - budget_ / 8) break;
    Shard &s = shard(c.key);
    std::lock_guard lock(s.mutex);
    auto it = s.entries.find(c.key);
    if (it == s.entries.end() || it->second->used.load(std::memory_order_relaxed) != c.used)
      continue; // used in the meantime
    Entry &dropped = *evicted.emplace_back(std::move(it->second));
    s.entries.erase(it);
    std::lock_guard entry_lock(dropped.mutex);
    total -= std::min(total, dropped.bytes);
    // The bytes are subtracted, not set, since attach() may have added bytes since `total` was computed.
    bytes_.fetch_sub(dropped.bytes, std::memory_order_relaxed);
    evicted_.fetch_add(1, std::memory_order_relaxed);
  }
  return evicted;
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
  CacheCounters c{hits_.load(),  misses_.load(), waits_.load(), failures_.load(), 0,
                  bytes_.load(), evicted_.load()};
  for (const Shard &s : shards_) {
    std::lock_guard lock(s.mutex);
    c.entries += s.entries.size();
  }
  return c;
}

void ObjectCache::clear() {
  std::lock_guard evicting(evicting_);
  for (Shard &s : shards_) {
    std::lock_guard lock(s.mutex);
    std::erase_if(s.entries, [&](const auto &each) {
      std::lock_guard entry_lock(each.second->mutex);
      bytes_.fetch_sub(each.second->bytes, std::memory_order_relaxed);
      return each.second->done;
    });
  }
}

} // namespace kiln
