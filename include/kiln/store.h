// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface for the embedder's own storage of the persistent cache, used instead of the cache's folder
// (SessionOptions::store).
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
  /// Time after which the store should delete the entry (SessionOptions::store_expiry). 0: no limit.
  std::chrono::seconds time_to_live{0};
  /// Fencing token of the lease under which the entry was compiled; 0: no lease.
  uint64_t token = 0;
};

/// Result of CacheStore::acquire_lease.
struct StoreLease {
  enum class State : uint8_t {
    None,    ///< the store has no leases
    Granted, ///< the caller has the lease
    Held,    ///< another holder has the lease
  };
  State state = State::None;
  /// Fencing token if Granted: not 0, and greater than the tokens of all earlier leases of the key.
  uint64_t token = 0;
};

/// Contents of a store.
struct StoreStatistics {
  uint64_t entries = 0, bytes = 0;
};

/// Stores entries of the cache: bytes by key. Must be thread-safe. Entries are code that the session runs, so
/// untrusted parties must not be able to write to the store.
///
/// The store may lose entries at any time. If a call throws, the entry counts as missing or not stored, with
/// one warning in the session's log. Entries carry a checksum; Kiln drops damaged ones. Compiling threads
/// call get(), get_many() and the functions of leases, and wait for them. A background thread of the session
/// calls put_with(), drop() and renew_lease(); Session::flush_cache and the destructor wait for it. A thread
/// that finds an entry damaged calls drop(), too. Calls of the same session from within the store are Usage
/// errors. References and views are valid during the call.
///
/// The functions with a body are optional: a store that overrides none of them works.
class KILN_API CacheStore {
public:
  using Key = std::array<std::byte, 16>;
  virtual ~CacheStore();
  /// Returns the bytes that were last stored under the key. No value: the store does not have the key.
  virtual std::optional<std::string> get(const Key &key) = 0;
  /// Stores the bytes atomically; they replace an existing entry of the key.
  virtual void put(const Key &key, std::string_view bytes) = 0;
  virtual void drop(const Key &key) = 0;

  /// Reads many keys at once: one result for each key, in order. `kiln precompile` requests up to 512 keys at
  /// a time. Default: calls get() for each.
  virtual std::vector<std::optional<std::string>> get_many(std::span<const Key> keys);
  /// Stores an entry with options; Kiln calls this function, not put(). The store should reject the entry if
  /// a lease with a greater token than `options.token` was granted for the key: the writer has lost its
  /// lease. Default: calls put().
  virtual void put_with(const Key &key, std::string_view bytes, const StorePut &options);

  /// Requests a lease: the exclusive right to compile a key's entry. One session then compiles the entry and
  /// the other sessions of the store wait. The store ends a lease after `time_to_live` (1.5 s) unless the
  /// holder renews it, so that others need not wait long for a dead holder. Must return at once. Default:
  /// State::None.
  virtual StoreLease acquire_lease(const Key &key, std::chrono::milliseconds time_to_live);
  /// Restarts the lease's time to live. Kiln calls it every 0.5 s. Returns false if the lease has ended.
  virtual bool renew_lease(const Key &key, uint64_t token, std::chrono::milliseconds time_to_live);
  /// Ends the lease, if it has not ended yet. Kiln calls it after put_with().
  virtual void release_lease(const Key &key, uint64_t token);

  /// Returns the store's contents for Session::counters, which calls it each time. Default: no value.
  virtual std::optional<StoreStatistics> statistics();
};

} // namespace kiln::inline KILN_API_VERSION
