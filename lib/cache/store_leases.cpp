// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store_leases.h"

#include <support/signals.h>

namespace kiln {

StoreLeases::~StoreLeases() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ends_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

StoreLeases::Lease StoreLeases::acquire(const Fingerprint &key) {
  const StoreLease got = store_->acquire(key, time_to_live);
  if (got.state != StoreLease::State::Granted) return {got.state};
  std::lock_guard lock(mutex_);
  const uint64_t number = next_++;
  held_[number] = {key, got.token};
  if (!thread_.joinable()) thread_ = std::thread([this] { renew_all(); });
  auto release = [this, number, key, token = got.token](void *) {
    {
      std::lock_guard lock(mutex_);
      held_.erase(number);
    }
    store_->release(key, token);
  };
  return {got.state, got.token, std::shared_ptr<void>(nullptr, std::move(release))};
}

void StoreLeases::renew_all() {
  block_signals_of_thread();
  std::unique_lock lock(mutex_);
  while (!ends_changed_.wait_for(lock, beat, [&] { return ends_; })) {
    const auto held = held_;
    lock.unlock();
    std::vector<uint64_t> lost;
    for (const auto &[number, lease] : held)
      if (!store_->renew(lease.first, lease.second, time_to_live)) lost.push_back(number);
    lock.lock();
    for (uint64_t number : lost) held_.erase(number);
  }
}

} // namespace kiln
