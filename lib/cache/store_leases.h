// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blob_store.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace kiln {

/// Leases of a store that this session holds. A thread, which the first grant starts, renews them.
/// Thread-safe.
class StoreLeases {
public:
  explicit StoreLeases(std::shared_ptr<BlobStore> store) : store_(std::move(store)) {}
  ~StoreLeases(); ///< no lease is held any more
  struct Lease {
    StoreLease::State state = StoreLease::State::None;
    uint64_t token = 0;
    std::shared_ptr<void> held; ///< its end releases the lease
  };
  Lease acquire(const Fingerprint &key);

private:
  /// A dead holder keeps others for 1.5 s: three beats, so that one late renewal does no harm.
  static constexpr std::chrono::milliseconds time_to_live{1500}, beat{500};
  void renew_all();
  const std::shared_ptr<BlobStore> store_;
  std::mutex mutex_;
  std::condition_variable ends_changed_;
  bool ends_ = false;
  std::map<uint64_t, std::pair<Fingerprint, uint64_t>> held_; ///< keys and tokens, by a number of our own
  uint64_t next_ = 0;
  std::thread thread_;
};

} // namespace kiln
