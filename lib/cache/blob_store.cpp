// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blob_store.h"

#include <condition_variable>

namespace kiln {

BlobStore::Found get_blobs(BlobStore &store, std::vector<Fingerprint> keys, std::chrono::milliseconds limit) {
  struct Answer {
    std::mutex mutex;
    std::condition_variable came;
    bool is_there = false;
    BlobStore::Found found;
  };
  // Shared with the store, which may answer after this function returned.
  auto answer = std::make_shared<Answer>();
  StoreClock::time_point until = StoreClock::now() + limit;
  store.get(std::move(keys), until, [answer](BlobStore::Found found) {
    std::lock_guard lock(answer->mutex);
    answer->found = std::move(found);
    answer->is_there = true;
    answer->came.notify_one();
  });
  std::unique_lock lock(answer->mutex);
  answer->came.wait_until(lock, until, [&] { return answer->is_there; });
  return std::move(answer->found);
}

std::optional<std::string> get_blob(BlobStore &store, Fingerprint key, std::chrono::milliseconds limit) {
  BlobStore::Found found = get_blobs(store, {key}, limit);
  return found.empty() ? std::nullopt : std::move(found[0]);
}

void MemoryStore::get(std::vector<Fingerprint> keys, StoreClock::time_point,
                      std::function<void(Found)> done) {
  Found found(keys.size());
  {
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < keys.size(); i++)
      if (auto it = blobs_.find(keys[i]); it != blobs_.end()) found[i] = it->second;
  }
  done(std::move(found));
}

void MemoryStore::put(std::vector<Blob> blobs, StoreClock::time_point) {
  std::lock_guard lock(mutex_);
  auto drop = [&](Fingerprint key) {
    auto it = blobs_.find(key);
    if (it == blobs_.end()) return;
    bytes_ -= it->second.size();
    blobs_.erase(it);
  };
  for (Blob &blob : blobs) {
    drop(blob.key);
    if (blob.bytes.empty() || blob.bytes.size() > budget_) continue;
    bytes_ += blob.bytes.size();
    order_.push_back(blob.key);
    blobs_.emplace(blob.key, std::move(blob.bytes));
  }
  size_t gone = 0;
  while (bytes_ > budget_ && gone < order_.size()) drop(order_[gone++]);
  order_.erase(order_.begin(), order_.begin() + ptrdiff_t(gone));
}

void StackedStore::get(std::vector<Fingerprint> keys, StoreClock::time_point until,
                       std::function<void(Found)> done) {
  std::vector<Fingerprint> asked = keys;
  upper_->get(std::move(asked), until,
              [lower = lower_, keys = std::move(keys), until, done = std::move(done)](Found found) {
                std::vector<Fingerprint> missing;
                std::vector<size_t> places;
                for (size_t i = 0; i < keys.size(); i++)
                  if (i >= found.size() || !found[i]) {
                    missing.push_back(keys[i]);
                    places.push_back(i);
                  }
                if (missing.empty()) return done(std::move(found));
                found.resize(keys.size());
                lower->get(std::move(missing), until,
                           [found = std::move(found), places = std::move(places), done](Found below) mutable {
                             for (size_t i = 0; i < std::min(below.size(), places.size()); i++)
                               found[places[i]] = std::move(below[i]);
                             done(std::move(found));
                           });
              });
}

void StackedStore::put(std::vector<Blob> blobs, StoreClock::time_point until) {
  upper_->put(std::move(blobs), until);
}

} // namespace kiln
