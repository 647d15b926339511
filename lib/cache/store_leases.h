// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blob_store.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace kiln {

/// Rights to compile keys (leases) that a store granted to this session. A thread, started by the first
/// lease, renews them. Thread-safe.
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
  /// A lease lives for three renewal intervals, so that one late renewal does no harm. A session that dies
  /// with a lease delays others by 1.5 s.
  static constexpr std::chrono::milliseconds time_to_live{1500}, beat{500};
  void renew_all();
  const std::shared_ptr<BlobStore> store_;
  std::mutex mutex_;
  std::condition_variable ends_changed_;
  bool ends_ = false;
  /// Key and token of each lease, by a number local to this object.
  std::map<uint64_t, std::pair<Fingerprint, uint64_t>> held_;
  uint64_t next_ = 0;
  std::thread thread_;
};

} // namespace kiln
