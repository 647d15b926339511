// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedder_store.h"

#include <support/exceptions.h>

namespace kiln {

CacheStore::~CacheStore() = default;

namespace {

CacheStore::Key key_of(Fingerprint key) {
  CacheStore::Key bytes; // in the order of Fingerprint::hex
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
  for (size_t i = 0; i < keys.size(); i++) guarded([&] { found[i] = store_->get(key_of(keys[i])); });
  done(std::move(found));
}

void EmbedderStore::put(std::vector<Blob> blobs, StoreClock::time_point) {
  for (const Blob &blob : blobs)
    guarded([&] {
      if (blob.bytes.empty())
        store_->drop(key_of(blob.key));
      else
        store_->put(key_of(blob.key), blob.bytes);
    });
}

} // namespace kiln
