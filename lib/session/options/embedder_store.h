// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's CacheStore as a BlobStore: its answers come at once, and what it throws is nothing there.
#pragma once

#include <cache/cache.h>
#include <kiln/store.h>
#include <support/support.h>

namespace kiln {

/// Thread-safe. `log` must outlive it; the thread is in a callback of the log's as long as it is in the
/// store.
class EmbedderStore final : public BlobStore {
public:
  EmbedderStore(std::shared_ptr<CacheStore> store, const Log &log) : store_(std::move(store)), log_(log) {}
  void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
           std::function<void(Found)> done) override;
  void put(std::vector<Blob> blobs, StoreClock::time_point until) override;

private:
  template <class F> void guarded(F &&call);
  const std::shared_ptr<CacheStore> store_;
  const Log &log_;
  std::atomic<bool> warned_{false};
};

} // namespace kiln
