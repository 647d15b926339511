// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of stores, which keep entries beyond a session. A store holds sealed entries (entry.h) and does
// not look into them.
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

/// Store of entries: memory, a folder, a stack of stores, a server. Thread-safe. A store never fails.
/// Unreadable entries count as missing, and failed writes are lost, with one warning in the store's log. It
/// may drop entries at any time.
///
/// get() and put() take many keys and a time limit. A store on a server then sends one request for all keys,
/// and the caller does not wait for a slow or missing server.
class BlobStore {
public:
  virtual ~BlobStore() = default;
  /// One value per key, in order. Empty: missing.
  using Found = std::vector<std::optional<std::string>>;

  /// Looks for entries and calls `done` once: before it returns (a local store), or later on another thread,
  /// with the entries found by `until` at the latest. An entry was put under its key, but may be damaged. The
  /// caller opens it (open_entry), and reports damage with drop_damaged.
  virtual void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
                   std::function<void(Found)> done) = 0;
  /// Stores entries and replaces existing ones, each entirely or not at all. May return before that. Work not
  /// done by `until` may be dropped. An empty entry removes the key's entry.
  virtual void put(std::vector<Blob> blobs, StoreClock::time_point until) = 0;

  // As in CacheStore.
  virtual StoreLease acquire(Fingerprint, std::chrono::milliseconds) { return {}; }
  virtual bool renew(Fingerprint, uint64_t, std::chrono::milliseconds) { return false; }
  virtual void release(Fingerprint, uint64_t) {}
  virtual std::optional<StoreStatistics> statistics() { return std::nullopt; }
};

/// Waits for get(). One value per key; none at all if the store does not answer within the limit.
BlobStore::Found get_blobs(BlobStore &store, std::vector<Fingerprint> keys, std::chrono::milliseconds limit);
std::optional<std::string> get_blob(BlobStore &store, Fingerprint key,
                                    std::chrono::milliseconds limit = std::chrono::milliseconds(1000));

/// Store in memory, for tests and for sessions that share one. Holds at most `budget` bytes and drops the
/// oldest entries.
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
  std::vector<Fingerprint> order_; ///< in order of put; may contain dropped keys
  size_t bytes_ = 0;
};

/// Looks in `upper`, then in `lower`; puts into `upper` only. Use: a read-only folder shared by all users
/// below each user's own.
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
