// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wraps the embedder's CacheStore as a BlobStore, the cache's internal interface. An exception of the
// embedder counts as a miss.
#pragma once

#include <cache/cache.h>
#include <kiln/store.h>
#include <support/support.h>

namespace kiln {

/// A BlobStore on the embedder's CacheStore. Thread-safe. `log` must outlive it. While the embedder's
/// functions run, calls of the session are refused. `expiry` is the lifetime of stored entries; 0: unlimited.
class EmbedderStore final : public BlobStore {
public:
  EmbedderStore(std::shared_ptr<CacheStore> store, std::chrono::seconds expiry, const Log &log)
      : store_(std::move(store)), expiry_(expiry), log_(log) {}
  void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
           std::function<void(Found)> done) override;
  void put(std::vector<Blob> blobs, StoreClock::time_point until) override;
  StoreLease acquire(Fingerprint key, std::chrono::milliseconds time_to_live) override;
  bool renew(Fingerprint key, uint64_t token, std::chrono::milliseconds time_to_live) override;
  void release(Fingerprint key, uint64_t token) override;
  std::optional<StoreStatistics> statistics() override;

private:
  template <class F> void guarded(F &&call);
  const std::shared_ptr<CacheStore> store_;
  const std::chrono::seconds expiry_;
  const Log &log_;
  std::atomic<bool> warned_{false};
};

} // namespace kiln
