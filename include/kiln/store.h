// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's store for data that outlives a session, instead of the cache folder: SessionOptions::store.
#pragma once

#include <kiln/export.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Options of CacheStore::put_with.
struct StorePut {
  /// Time after which the store should drop the entry (SessionOptions::store_expiry). 0: no limit.
  std::chrono::seconds time_to_live{0};
  /// Fencing token of the lease under which the bytes were made; 0: of none.
  uint64_t token = 0;
};

/// The answer of CacheStore::acquire_lease.
struct StoreLease {
  enum class State : uint8_t {
    None,    ///< the store has no leases
    Granted, ///< the caller has the lease
    Held,    ///< another one has it
  };
  State state = State::None;
  /// Fencing token of a grant: greater than those of all earlier grants of the key. Not 0.
  uint64_t token = 0;
};

/// Contents of a store.
struct StoreStatistics {
  uint64_t entries = 0, bytes = 0;
};

/// Bytes by key. Thread-safe. The session runs the returned bytes as code, so others must not be able to
/// write to the store.
///
/// It may forget anything at any time. A call that throws counts as a missing or unkept entry (one warning in
/// the session's log). Entries carry a checksum, so one that was cut off or altered by accident is dropped.
/// Compiling threads call get(), get_many() and the functions of leases, and wait for them. A thread of the
/// session's own calls put_with(), drop() and renew_lease(); Session::flush_cache and the destructor wait for
/// it. Threads that found a damaged entry call drop(), too. A call of the same session from within one of
/// them is refused as a Usage error. References and views are valid during the call.
///
/// The functions with a body are optional: a store that overrides none of them works.
class KILN_API CacheStore {
public:
  using Key = std::array<std::byte, 16>;
  virtual ~CacheStore();
  /// Returns the bytes last put under the key; no value: there are none.
  virtual std::optional<std::string> get(const Key &key) = 0;
  /// Replaces the bytes of the key, completely or not at all.
  virtual void put(const Key &key, std::string_view bytes) = 0;
  virtual void drop(const Key &key) = 0;

  /// get() for many keys: a result for each, in their order. `kiln precompile` asks for up to 512 keys at a
  /// time. Default: get() for each.
  virtual std::vector<std::optional<std::string>> get_many(std::span<const Key> keys);
  /// put() with options; Kiln calls this one. The store should keep nothing if a later grant of the key than
  /// `options.token` exists: its holder lost the lease, and another one publishes. Default: put().
  virtual void put_with(const Key &key, std::string_view bytes, const StorePut &options);

  /// Requests the right to compile the entry of a key. One of the sessions that share the store gets it and
  /// compiles; the others wait. The store ends a lease after `time_to_live` (1.5 s) unless the holder renews
  /// it, so a dead holder delays nobody for long. Must not wait for the lease. Default: None.
  virtual StoreLease acquire_lease(const Key &key, std::chrono::milliseconds time_to_live);
  /// Begins the time to live anew. Kiln calls it every 0.5 s. False: the lease has ended.
  virtual bool renew_lease(const Key &key, uint64_t token, std::chrono::milliseconds time_to_live);
  /// Ends the lease; does nothing if it has ended. Kiln calls it after the put.
  virtual void release_lease(const Key &key, uint64_t token);

  /// For Session::counters, which calls it each time. Default: nothing.
  virtual std::optional<StoreStatistics> statistics();
};

} // namespace kiln::inline KILN_API_VERSION
