// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where entries are kept beyond a session. What a store holds are sealed entries (entry.h); it
// looks into none.
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

/// A place for entries: memory, a folder, several of them, a server. Thread-safe. A store never fails: what
/// it cannot give is not there, what it cannot keep is gone, and it warns once in the log that it was made
/// with. It may forget anything at any time.
///
/// Both methods take many keys at once and a moment at which the caller goes on, so that one that asks a
/// server sends all that it is asked for together and does not wait for a server that is slow or gone.
class BlobStore {
public:
  virtual ~BlobStore() = default;
  /// One a key, in order; no value: not there.
  using Found = std::vector<std::optional<std::string>>;

  /// Looks for entries, and calls `done` once: before it returns (a local store) or later from another
  /// thread, but not much after `until`, with what has come by then. What it finds was put under that key,
  /// but may be damaged: the caller opens it (open_entry), and tells with drop_damaged.
  virtual void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
                   std::function<void(Found)> done) = 0;
  /// Keeps entries, in place of those that are there; all of an entry or nothing of it. May return before
  /// that is done. What is not done by `until` need not be. An empty entry drops what is under its key.
  virtual void put(std::vector<Blob> blobs, StoreClock::time_point until) = 0;

  // As in CacheStore.
  virtual StoreLease acquire(Fingerprint, std::chrono::milliseconds) { return {}; }
  virtual bool renew(Fingerprint, uint64_t, std::chrono::milliseconds) { return false; }
  virtual void release(Fingerprint, uint64_t) {}
  virtual std::optional<StoreStatistics> statistics() { return std::nullopt; }
};

/// get(), waited for: one each; none at all if the store does not answer within the limit.
BlobStore::Found get_blobs(BlobStore &store, std::vector<Fingerprint> keys, std::chrono::milliseconds limit);
std::optional<std::string> get_blob(BlobStore &store, Fingerprint key,
                                    std::chrono::milliseconds limit = std::chrono::milliseconds(1000));

/// In memory, for tests and for sessions that share one. Holds at most `budget` bytes; drops what was put
/// first.
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
  std::vector<Fingerprint> order_; ///< as they were put; some may be gone
  size_t bytes_ = 0;
};

/// Looks in `upper`, then in `lower`; puts into `upper` alone: a read-only folder that all users share below
/// their own.
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
