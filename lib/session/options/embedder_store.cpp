// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedder_store.h"

#include <support/exceptions.h>

namespace kiln {

CacheStore::~CacheStore() = default;

std::vector<std::optional<std::string>> CacheStore::get_many(std::span<const Key> keys) {
  std::vector<std::optional<std::string>> found;
  for (const Key &key : keys) found.push_back(get(key));
  return found;
}

void CacheStore::put_with(const Key &key, std::string_view bytes, const StorePut &) { put(key, bytes); }
StoreLease CacheStore::acquire_lease(const Key &, std::chrono::milliseconds) { return {}; }
bool CacheStore::renew_lease(const Key &, uint64_t, std::chrono::milliseconds) { return false; }
void CacheStore::release_lease(const Key &, uint64_t) {}
std::optional<StoreStatistics> CacheStore::statistics() { return std::nullopt; }

namespace {

CacheStore::Key key_of(Fingerprint key) {
  CacheStore::Key bytes; // byte order of Fingerprint::hex
  for (size_t i = 0; i < 8; i++) {
    bytes[i] = std::byte(key.high >> (56 - 8 * i));
    bytes[8 + i] = std::byte(key.low >> (56 - 8 * i));
  }
  return bytes;
}

} // namespace

template <class F> void EmbedderStore::guarded(F &&call) {
  std::string what;
  try {
    CallbackScope scope(&log_);
    return call();
  } catch (...) {
    what = text_of_current_exception();
  }
  if (!warned_.exchange(true))
    log_.warn(
        "the embedder's store of the cache threw: {} (Kiln goes on without what it has not given or kept)",
        what);
}

void EmbedderStore::get(std::vector<Fingerprint> keys, StoreClock::time_point,
                        std::function<void(Found)> done) {
  Found found(keys.size());
  if (keys.size() == 1) {
    guarded([&] { found[0] = store_->get(key_of(keys[0])); });
  } else if (!keys.empty()) {
    std::vector<CacheStore::Key> asked;
    for (const Fingerprint &key : keys) asked.push_back(key_of(key));
    guarded([&] { found = store_->get_many(asked); });
    found.resize(keys.size());
  }
  done(std::move(found));
}

void EmbedderStore::put(std::vector<Blob> blobs, StoreClock::time_point) {
  for (const Blob &blob : blobs)
    guarded([&] {
      if (blob.bytes.empty())
        store_->drop(key_of(blob.key));
      else
        store_->put_with(key_of(blob.key), blob.bytes, {expiry_, blob.token});
    });
}

StoreLease EmbedderStore::acquire(Fingerprint key, std::chrono::milliseconds time_to_live) {
  StoreLease lease;
  guarded([&] { lease = store_->acquire_lease(key_of(key), time_to_live); });
  return lease;
}

bool EmbedderStore::renew(Fingerprint key, uint64_t token, std::chrono::milliseconds time_to_live) {
  bool is_renewed = false;
  guarded([&] { is_renewed = store_->renew_lease(key_of(key), token, time_to_live); });
  return is_renewed;
}

void EmbedderStore::release(Fingerprint key, uint64_t token) {
  guarded([&] { store_->release_lease(key_of(key), token); });
}

std::optional<StoreStatistics> EmbedderStore::statistics() {
  std::optional<StoreStatistics> now;
  if (!CallbackScope::is_inside(&log_)) guarded([&] { now = store_->statistics(); });
  return now;
}

} // namespace kiln
