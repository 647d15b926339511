// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of stores, which keep entries beyond a session. A store holds sealed entries (entry.h), and never
// reads their contents.
#pragma once

#include <kiln/store.h>
#include <support/support.h>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace kiln {

struct Blob {
  Fingerprint key;
  std::string bytes;
  uint64_t token = 0; ///< StorePut::token
};

using StoreClock = std::chrono::steady_clock;

/// Interface of a store of entries: in memory, in a folder, on a server, or a stack of stores. Thread-safe.
/// Its functions never fail. Unreadable entries count as missing, and failed writes are lost, with one
/// warning in the store's log. A store may drop entries at any time.
///
/// get() and put() take many keys and a time limit. A store on a server then sends one request for all keys,
/// and the caller does not wait for a slow or missing server.
class BlobStore {
public:
  virtual ~BlobStore() = default;
  /// The entry of each requested key, in the order of the keys. Empty: the store lacks it.
  using Found = std::vector<std::optional<std::string>>;

  /// Looks for entries, and calls `done` once with the entries found by `until`. A local store calls it
  /// before get() returns, other stores later on another thread. An entry was stored under its key, but may
  /// be damaged. The caller opens each entry (open_entry), and reports damage with drop_damaged().
  virtual void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
                   std::function<void(Found)> done) = 0;
  /// Stores entries and replaces existing ones, each entirely or not at all. May return before the entries
  /// are stored. Entries not stored by `until` may be dropped. An empty entry removes the entry of its key.
  virtual void put(std::vector<Blob> blobs, StoreClock::time_point until) = 0;

  // As in CacheStore.
  virtual StoreLease acquire(Fingerprint, std::chrono::milliseconds) { return {}; }
  virtual bool renew(Fingerprint, uint64_t, std::chrono::milliseconds) { return false; }
  virtual void release(Fingerprint, uint64_t) {}
  virtual std::optional<StoreStatistics> statistics() { return std::nullopt; }
};

/// Calls get() and waits for its result: one value per key. Returns an empty list if the store does not
/// answer within the limit.
BlobStore::Found get_blobs(BlobStore &store, std::vector<Fingerprint> keys, std::chrono::milliseconds limit);
std::optional<std::string> get_blob(BlobStore &store, Fingerprint key,
                                    std::chrono::milliseconds limit = std::chrono::milliseconds(1000));

/// Store in memory, for tests and for sessions that share one store. Holds at most `budget` bytes, and drops
/// the oldest entries.
class MemoryStore final : public BlobStore {
public:
  explicit MemoryStore(size_t budget = size_t(64) << 20) : budget_(budget) {}
  void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
           std::function<void(Found)> done) override;
  void put(std::vector<Blob> blobs, StoreClock::time_point until) override;

private:
  const size_t budget_;
  std::mutex mutex_;
  std::unordered_map<Fingerprint, std::string> blobs_;
  std::vector<Fingerprint> order_; ///< keys in order of put(); keys of dropped entries remain
  size_t bytes_ = 0;
};

/// Store made of two stores: get() looks in `upper`, then in `lower`; put() writes to `upper` only. Example:
/// each user's own folder above a read-only folder that all users share.
class StackedStore final : public BlobStore {
public:
  StackedStore(std::shared_ptr<BlobStore> upper, std::shared_ptr<BlobStore> lower)
      : upper_(std::move(upper)), lower_(std::move(lower)) {}
  void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
           std::function<void(Found)> done) override;
  void put(std::vector<Blob> blobs, StoreClock::time_point until) override;
  StoreLease acquire(Fingerprint key, std::chrono::milliseconds time_to_live) override {
    return upper_->acquire(key, time_to_live);
  }
  bool renew(Fingerprint key, uint64_t token, std::chrono::milliseconds time_to_live) override {
    return upper_->renew(key, token, time_to_live);
  }
  void release(Fingerprint key, uint64_t token) override { upper_->release(key, token); }
  std::optional<StoreStatistics> statistics() override { return upper_->statistics(); }

private:
  std::shared_ptr<BlobStore> upper_, lower_;
};

} // namespace kiln
