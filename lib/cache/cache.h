// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component cache (layer 6): what need not be made again.
//   cache           level 2 in memory: artifacts by object key; one compile for one key, however many ask
//   persistent      a session's way to a store: find, wait for another process, publish in the background
//   blob_store      the interface of stores; in memory; two of them stacked
//   folder_store    a folder as a store, shared by processes
//   store_leases    leases of a store that this session holds
//   remote_lookup   one question to the remote store
//   read_ahead      entries that came before a job asked for them
//   entry           what lies in a store under a key: header, checksum, compression
//   artifact_entry  artifacts as the content of entries
//   compile_costs   estimates of what a compile takes
//   edge_types      types in entries
//   edges           level 1 as it outlives a process: what inference relied on
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

/// Counts since the cache was made. A test can assert "0 compiles after warm-up" with them.
struct CacheCounters {
  uint64_t hits = 0;
  uint64_t misses = 0;   ///< compiles started: neither in memory nor in the store
  uint64_t waits = 0;    ///< asked while another thread compiled the same key
  uint64_t failures = 0; ///< compiles that ended in an error; errors are not kept
  uint64_t entries = 0;
  uint64_t bytes = 0;   ///< of the artifacts kept, by the cache's own reckoning
  uint64_t evicted = 0; ///< dropped to stay within the budget
};

/// How an artifact may outlive the process.
struct PersistPolicy {
  ArtifactKind product = ArtifactKind::Assembly;
  /// Tells what the key was made of; asked when the artifact is published.
  std::function<std::vector<KeyField>()> fields = {};
  /// What an entry under a second key serves as well.
  std::optional<Fingerprint> also_under = {};
  /// Whether an entry that was found may be used here; empty: yes.
  std::function<bool(const Artifact &)> accepts = {};
  /// Is told of what came from the store; empty: nobody is.
  std::function<void(const Artifact &)> found = {};
};

/// Thread-safe. Artifacts are immutable and shared. The cache keeps those that were used last, within a
/// budget of bytes; one that is dropped lives on as long as someone holds it, and is compiled again when it
/// is asked for again.
class ObjectCache {
  struct Entry;

public:
  using ArtifactPtr = std::shared_ptr<const Artifact>;
  static constexpr size_t default_budget = size_t(16) << 20;

  explicit ObjectCache(size_t budget = default_budget) : budget_(budget) {}

  /// What is not in memory is looked for there, and published there. Before the first get.
  void set_persistent(PersistentCache *persistent) { persistent_ = persistent; }
  /// `users` returns artifacts in use by caches above, and drops their other entries. Called before eviction.
  /// Set it before the first get.
  void set_users(std::function<std::unordered_set<const Artifact *>()> users) { users_ = std::move(users); }

  /// An object made of the artifact, such as its loaded code. It leaves with the artifact. `owner` tells
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

  /// The artifact under `key`, compiled by `compile` if there is none. Threads that ask for a key that is
  /// being compiled wait for that key alone, and share its result or its error. A compile may give null: the
  /// key turned out to be wrong, nothing is kept under it, and all who wait for it get null too. `policy`:
  /// null for what stays in memory.
  template <class Compile>
  Result<ArtifactPtr> get(Fingerprint key, Compile &&compile, const PersistPolicy *policy = nullptr) {
    std::shared_ptr<Entry> entry;
    for (;;) {
      const Claim claim = claim_key(key, entry);
      if (claim == Claim::Ready) return entry->artifact;
      if (claim == Claim::Compile) break;
      Result<ArtifactPtr> theirs = wait(*entry);
      // Who compiled it was told to stop, which is nothing to this thread.
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
  ArtifactPtr find(Fingerprint key) const; ///< null: not there (or not ready)

  // For who makes what lies under several keys at once. Such artifacts stay in memory.
  enum class Origin { Made, Store }; ///< of what is put here, for the ledger
  /// A key that a thread has taken upon itself: who asks for it waits until fill(). Each one that is taken
  /// must be filled, and until then its thread must not join one that another thread may have taken.
  class Taken {
  public:
    explicit operator bool() const { return entry_ != nullptr; }

  private:
    friend class ObjectCache;
    Fingerprint key_;
    std::shared_ptr<Entry> entry_;
  };
  /// Takes a key that nobody has filled or taken.
  Taken take(Fingerprint key);
  /// Null: nothing is kept, and who waits for it gets null too.
  void fill(Taken taken, ArtifactPtr artifact, Origin origin = Origin::Made);
  /// What is there, or what the thread makes that has taken the key. Null: neither. Error: this thread was
  /// told to stop.
  Result<ArtifactPtr> join(Fingerprint key);
  /// Keeps it, unless there is one already. What then lies there.
  ArtifactPtr put(Fingerprint key, ArtifactPtr artifact, Origin origin = Origin::Made);

  CacheCounters counters() const;
  void clear();

private:
  struct Entry {
    std::mutex mutex;
    std::condition_variable ready;
    bool done = false;
    std::thread::id maker; ///< in get(); none: somebody took the key
    ArtifactPtr artifact;  ///< null and done: it failed, or the key was wrong (no faults)
    size_t bytes = 0;      ///< counted against the budget; 0: not done
    std::vector<std::pair<const void *, std::shared_ptr<const void>>> attached; ///< by owner
    std::atomic<uint64_t> used{0}; ///< when it was last asked for, on the cache's own clock
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
  /// `began`: the get() that compiled, on the timer's clock; 0: it was no get()
  void publish(Fingerprint key, Entry &entry, const Result<ArtifactPtr> &made, uint64_t began = 0);
  std::shared_ptr<const void> find_attached(Fingerprint key, const Artifact &artifact,
                                            const void *owner) const;
  std::shared_ptr<const void> attach_object(Fingerprint key, const Artifact &artifact, const void *owner,
                                            std::shared_ptr<const void> made, size_t bytes);
  void keep_to_budget();
  std::vector<std::shared_ptr<Entry>> evict();

  // A shard a key range: threads that ask for different keys rarely meet.
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
  std::mutex evicting_; ///< taken before a shard's
  Shard &shard(Fingerprint key) { return shards_[key.high % shard_count]; }
  const Shard &shard(Fingerprint key) const { return shards_[key.high % shard_count]; }
};

} // namespace kiln
