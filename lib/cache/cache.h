// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component cache (layer 6): products of earlier work.
//   cache           level 2 in memory: artifacts by object key; one compile per key for all threads
//   persistent      a session's access to a store: find, wait for another process, publish in the background
//   blob_store      interface of stores; a store in memory; a stack of two stores
//   folder_store    a folder as a store, shared by processes
//   store_leases    leases of a store that this session holds
//   remote_lookup   one request to the remote store
//   read_ahead      entries fetched before a job needs them
//   entry           format of a stored entry: header, checksum, compression
//   artifact_entry  artifacts as the content of entries
//   compile_costs   estimates of compile times
//   edge_types      types in entries
//   edges           level 1 beyond a process: the facts that inference relied on
#pragma once

#include "edge_types.h"
#include "edges.h"
#include "entry.h"
#include "persistent.h"

#include <support/cancellation.h>

#include <condition_variable>
#include <memory>
#include <thread>
#include <unordered_set>

namespace kiln {

/// Counters since the cache was made. Tests can assert "0 compiles after warm-up".
struct CacheCounters {
  uint64_t hits = 0;
  uint64_t misses = 0;   ///< compiles started: neither memory nor the store had the artifact
  uint64_t waits = 0;    ///< requests while another thread compiled the same key
  uint64_t failures = 0; ///< compiles that failed; errors are not kept
  uint64_t entries = 0;
  uint64_t bytes = 0;   ///< of kept artifacts, as the cache counts them
  uint64_t evicted = 0; ///< dropped to stay within the budget
};

/// Rules for keeping an artifact beyond the process.
struct PersistPolicy {
  ArtifactKind product = ArtifactKind::Assembly;
  /// Returns the parts of the key. Called when the artifact is published.
  std::function<std::vector<KeyField>()> fields = {};
  /// A second key for the same entry.
  std::optional<Fingerprint> also_under = {};
  /// Returns true if a found entry may be used here. Empty: all may.
  std::function<bool(const Artifact &)> accepts = {};
  /// Called with each artifact from the store. May be empty.
  std::function<void(const Artifact &)> found = {};
};

/// Artifacts by key. Thread-safe. Artifacts are immutable and shared. The cache drops the least recently used
/// artifacts to stay within a budget of bytes. A dropped artifact lives while somebody holds it. The next
/// request for it compiles again.
class ObjectCache {
  struct Entry;

public:
  using ArtifactPtr = std::shared_ptr<const Artifact>;
  static constexpr size_t default_budget = size_t(16) << 20;

  explicit ObjectCache(size_t budget = default_budget) : budget_(budget) {}

  /// Sets the store behind the memory. Call it before the first get.
  void set_persistent(PersistentCache *persistent) { persistent_ = persistent; }
  /// `users` returns artifacts in use by caches above, and drops their other entries. Called before eviction.
  /// Set it before the first get.
  void set_users(std::function<std::unordered_set<const Artifact *>()> users) { users_ = std::move(users); }

  /// An object made of the artifact, such as its loaded code. It is dropped with the artifact. `owner` tells
  /// several objects of one artifact apart and fixes the type T. Null: none, or the artifact was evicted.
  template <class T>
  std::shared_ptr<const T> attached(Fingerprint key, const Artifact &artifact, const void *owner) const {
    return std::static_pointer_cast<const T>(find_attached(key, artifact, owner));
  }
  /// Attaches `made`, which counts `bytes` against the budget. Returns the object that another thread
  /// attached first, if any. Does not keep `made` if the artifact was evicted.
  template <class T>
  std::shared_ptr<const T> attach(Fingerprint key, const Artifact &artifact, const void *owner,
                                  std::shared_ptr<const T> made, size_t bytes) {
    return std::static_pointer_cast<const T>(attach_object(key, artifact, owner, std::move(made), bytes));
  }

  /// Returns the artifact under `key`, compiled by `compile` if it is missing. Threads that need a key under
  /// compilation wait for that compile, and share its result or error. `compile` may return null: the key was
  /// wrong, nothing is kept, and all waiting threads get null. `policy`: null for artifacts that stay in
  /// memory.
  template <class Compile>
  Result<ArtifactPtr> get(Fingerprint key, Compile &&compile, const PersistPolicy *policy = nullptr) {
    std::shared_ptr<Entry> entry;
    for (;;) {
      const Claim claim = claim_key(key, entry);
      if (claim == Claim::Ready) return entry->artifact;
      if (claim == Claim::Compile) break;
      Result<ArtifactPtr> theirs = wait(*entry);
      // The other thread's compile was cancelled, but this thread's is not: try again.
      if (theirs.ok() || !is_stop(theirs.error()) || cancellation_requested()) return theirs;
    }
    const uint64_t began = Timer::now();
    Result<ArtifactPtr> made =
        persistent_ && policy
            ? through_store(key, std::function<Result<ArtifactPtr>()>(std::ref(compile)), *policy)
            : fresh(compile);
    publish(key, *entry, made, began);
    return made;
  }
  ArtifactPtr find(Fingerprint key) const; ///< null: missing or not ready

  // For code that makes the artifacts of several keys at once. Such artifacts stay in memory.
  enum class Origin { Made, Store }; ///< source of an artifact, for the ledger
  /// A key that a thread has reserved. Other threads that need it wait until fill(). Each reserved key must
  /// be filled. Until then its thread must not join a key that another thread may have reserved.
  class Taken {
  public:
    explicit operator bool() const { return entry_ != nullptr; }

  private:
    friend class ObjectCache;
    Fingerprint key_;
    std::shared_ptr<Entry> entry_;
  };
  /// Reserves a key that is neither filled nor reserved.
  Taken take(Fingerprint key);
  /// Fills a reserved key. Null: nothing is kept, and waiting threads get null.
  void fill(Taken taken, ArtifactPtr artifact, Origin origin = Origin::Made);
  /// Returns the key's artifact, after a wait for the thread that reserved the key. Null: neither exists.
  /// Error: this thread's work was stopped.
  Result<ArtifactPtr> join(Fingerprint key);
  /// Keeps the artifact unless the key has one. Returns the key's artifact.
  ArtifactPtr put(Fingerprint key, ArtifactPtr artifact, Origin origin = Origin::Made);

  CacheCounters counters() const;
  void clear();

private:
  struct Entry {
    std::mutex mutex;
    std::condition_variable ready;
    bool done = false;
    std::thread::id maker; ///< in get(); none: the key was reserved by take()
    ArtifactPtr artifact;  ///< null and done: an error (in faults), or a wrong key (no faults)
    size_t bytes = 0;      ///< counted against the budget; 0: not done
    std::vector<std::pair<const void *, std::shared_ptr<const void>>> attached; ///< by owner
    std::atomic<uint64_t> used{0}; ///< last use, on the cache's own clock
    std::vector<Diagnostic> faults;
  };
  enum class Claim { Ready, Wait, Compile };
  Claim claim_key(Fingerprint key, std::shared_ptr<Entry> &entry);
  template <class Compile> Result<ArtifactPtr> fresh(Compile &&compile) {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return compile();
  }
  Result<ArtifactPtr> through_store(Fingerprint key, const std::function<Result<ArtifactPtr>()> &compile,
                                    const PersistPolicy &policy);
  Result<ArtifactPtr> checked(Fingerprint key, ArtifactPtr found,
                              const std::function<Result<ArtifactPtr>()> &compile,
                              const PersistPolicy &policy);
  Result<ArtifactPtr> wait(Entry &entry);
  /// `began`: start of the get() that compiled, on the timer's clock. 0: not from a get().
  void publish(Fingerprint key, Entry &entry, const Result<ArtifactPtr> &made, uint64_t began = 0);
  std::shared_ptr<const void> find_attached(Fingerprint key, const Artifact &artifact,
                                            const void *owner) const;
  std::shared_ptr<const void> attach_object(Fingerprint key, const Artifact &artifact, const void *owner,
                                            std::shared_ptr<const void> made, size_t bytes);
  void keep_to_budget();
  std::vector<std::shared_ptr<Entry>> evict();

  // One shard per range of keys, so that threads with different keys rarely contend.
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<Fingerprint, std::shared_ptr<Entry>> entries;
  };
  static constexpr size_t shard_count = 16;
  Shard shards_[shard_count];
  std::atomic<uint64_t> hits_{0}, misses_{0}, waits_{0}, failures_{0}, evicted_{0};
  const size_t budget_;
  PersistentCache *persistent_ = nullptr;
  std::function<std::unordered_set<const Artifact *>()> users_;
  std::atomic<uint64_t> clock_{0};
  std::atomic<size_t> bytes_{0};
  std::mutex evicting_; ///< taken before a shard's mutex
  Shard &shard(Fingerprint key) { return shards_[key.high % shard_count]; }
  const Shard &shard(Fingerprint key) const { return shards_[key.high % shard_count]; }
};

} // namespace kiln
