// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blob_store.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace kiln {

/// Leases of a store that this session holds. A thread, started by the first grant, renews them. Thread-safe.
class StoreLeases {
public:
  explicit StoreLeases(std::shared_ptr<BlobStore> store) : store_(std::move(store)) {}
  ~StoreLeases(); ///< requires that all leases are released
  struct Lease {
    StoreLease::State state = StoreLease::State::None;
    uint64_t token = 0;
    std::shared_ptr<void> held; ///< releases the lease in its destructor
  };
  Lease acquire(const Fingerprint &key);

private:
  /// Three beats, so that one late renewal does no harm. A dead holder delays others by 1.5 s.
  static constexpr std::chrono::milliseconds time_to_live{1500}, beat{500};
  void renew_all();
  const std::shared_ptr<BlobStore> store_;
  std::mutex mutex_;
  std::condition_variable ends_changed_;
  bool ends_ = false;
  std::map<uint64_t, std::pair<Fingerprint, uint64_t>> held_; ///< keys and tokens, by a local number
  uint64_t next_ = 0;
  std::thread thread_;
};

} // namespace kiln
