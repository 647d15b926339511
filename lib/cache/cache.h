// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component cache (layer 6): products of earlier work.
//   cache           level 2 in memory: artifacts by object key; one compile per key for all threads
//   persistent      a session's access to a store: find, wait for another process, publish in the background
//   blob_store      interface of stores; a store in memory; a stack of two stores
//   folder_store    a folder as a store, shared by processes
//   store_leases    rights to compile that a store granted to this session
//   remote_lookup   one request to the remote store
//   read_ahead      entries fetched before a job needs them
//   entry           format of a stored entry: header, checksum, compression
//   artifact_entry  artifacts as the content of entries
//   compile_costs   estimates of compile times
//   edge_types      types as bytes in edge records
//   edges           facts that inference relied on, recorded for later processes (level 1)
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
  uint64_t failures = 0; ///< compiles that failed; their errors are not cached
  uint64_t entries = 0;
  uint64_t bytes = 0;   ///< size of all artifacts, as counted against the budget
  uint64_t evicted = 0; ///< artifacts dropped to stay within the budget
};

/// Rules for storing an artifact beyond this process, and for using a stored one.
struct PersistPolicy {
  ArtifactKind product = ArtifactKind::Assembly;
  /// Returns the named parts of the key, for `kiln cache explain`. Called when the artifact is published.
  std::function<std::vector<KeyField>()> fields = {};
  /// A second key under which the same artifact is stored.
  std::optional<Fingerprint> also_under = {};
  /// Returns true if this session may use an artifact found in the store. Empty: it may use every artifact.
  std::function<bool(const Artifact &)> accepts = {};
  /// Called with each artifact from the store. May be empty.
  std::function<void(const Artifact &)> found = {};
  MissCause cause = MissCause::NewCode; ///< if the store has no artifact
};

/// The cache of artifacts in memory, by key (level 2). Thread-safe. Artifacts are immutable and shared. The
/// cache drops the least recently used artifacts to stay within a budget of bytes. A dropped artifact lives
/// as long as somebody holds it. The next request for its key compiles again.
class ObjectCache {
  struct Entry;

public:
  using ArtifactPtr = std::shared_ptr<const Artifact>;
  static constexpr size_t default_budget = size_t(16) << 20;

  explicit ObjectCache(size_t budget = default_budget) : budget_(budget) {}

  /// Sets the store where artifacts missing in memory are looked up. Call it before the first get().
  void set_persistent(PersistentCache *persistent) { persistent_ = persistent; }
  /// Sets a function that is called before eviction. It returns the artifacts in use by caches that build on
  /// this one, and drops those caches' other entries. Call set_users() before the first get().
  void set_users(std::function<std::unordered_set<const Artifact *>()> users) { users_ = std::move(users); }

  /// Returns the object that attach() linked to the artifact under `owner`, such as its loaded code. It is
  /// dropped with the artifact. Each owner uses one type T. Null: nothing is attached, or the artifact was
  /// evicted.
  template <class T>
  std::shared_ptr<const T> attached(Fingerprint key, const Artifact &artifact, const void *owner) const {
    return std::static_pointer_cast<const T>(find_attached(key, artifact, owner));
  }
  /// Attaches `made` to the artifact and adds `bytes` to its size. Returns the attached object: `made`, or
  /// that of another thread that was faster. If the artifact was evicted, `made` is returned but not
  /// attached.
  template <class T>
  std::shared_ptr<const T> attach(Fingerprint key, const Artifact &artifact, const void *owner,
                                  std::shared_ptr<const T> made, size_t bytes) {
    return std::static_pointer_cast<const T>(attach_object(key, artifact, owner, std::move(made), bytes));
  }

  /// Returns the artifact under `key`, compiled by `compile` if it is missing. Threads that need a key under
  /// compilation wait for that compile, and share its result or error. `compile` may return null: the key was
  /// wrong, nothing is kept, and all waiting threads get null. `policy`: null if the artifact stays in memory
  /// only.
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

  // ---- for code that makes the artifacts of several keys at once; these artifacts are not written to the
  // store
  enum class Origin { Made, Store }; ///< source of an artifact, for the ledger
  /// A key that this thread has reserved. Other threads that need the key wait until fill(). Each reserved
  /// key must be filled. Until then its thread must not call join(): two threads could wait for each other.
  class Taken {
  public:
    explicit operator bool() const { return entry_ != nullptr; }

  private:
    friend class ObjectCache;
    Fingerprint key_;
    std::shared_ptr<Entry> entry_;
  };
  /// Reserves a key. The result is false if the key has an artifact, or another thread has reserved it.
  Taken take(Fingerprint key);
  /// Stores the artifact of a reserved key and wakes waiting threads. Null: nothing is stored, and these
  /// threads get null.
  void fill(Taken taken, ArtifactPtr artifact, Origin origin = Origin::Made);
  /// Waits for the thread that reserved the key, and returns its artifact. Null: the key is not reserved and
  /// has no artifact. Error: this thread's work was cancelled.
  Result<ArtifactPtr> join(Fingerprint key);
  /// Stores the artifact unless the key already has one. Returns the artifact that the key then has.
  ArtifactPtr put(Fingerprint key, ArtifactPtr artifact, Origin origin = Origin::Made);

  CacheCounters counters() const;
  void clear();

private:
  struct Entry {
    std::mutex mutex;
    std::condition_variable ready;
    bool done = false;
    std::thread::id maker; ///< thread that compiles in get(); none: take() reserved the key
    /// Null with `done`: the compile failed if `faults` has errors, else the key was wrong.
    ArtifactPtr artifact;
    size_t bytes = 0; ///< size counted against the budget; 0 until done
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
  /// Stores a compile's result in `entry` and wakes waiting threads. `began`: start of the get() that
  /// compiled, on the timer's clock; 0: the artifact is not from a get().
  void publish(Fingerprint key, Entry &entry, const Result<ArtifactPtr> &made, uint64_t began = 0);
  std::shared_ptr<const void> find_attached(Fingerprint key, const Artifact &artifact,
                                            const void *owner) const;
  std::shared_ptr<const void> attach_object(Fingerprint key, const Artifact &artifact, const void *owner,
                                            std::shared_ptr<const void> made, size_t bytes);
  void keep_to_budget();
  std::vector<std::shared_ptr<Entry>> evict();

  // Part of the table with its own mutex. Keys are spread over the shards, so that threads rarely contend.
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
