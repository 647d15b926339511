// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's place for what outlives a session, in place of the cache's folder: SessionOptions::store.
#pragma once

#include <kiln/export.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Bytes by key. Thread-safe. What it gives is code that the session runs: it must be no place where others
/// can write.
///
/// It may forget anything at any time, and a call that throws counts as nothing there, or nothing kept (one
/// warning in the session's log). Entries carry a checksum, so what was cut off or altered by accident is
/// dropped. get() is called by threads that compile, and they wait for it; put() and drop() by a thread of
/// the session's own, which Session::flush_cache and the destructor wait for, and by threads that found an
/// entry damaged. A call of the same session from within one of them is refused as a Usage error.
class KILN_API CacheStore {
public:
  using Key = std::array<std::byte, 16>;
  virtual ~CacheStore();
  /// What was put last under the key; nothing: it is not there.
  virtual std::optional<std::string> get(const Key &key) = 0;
  /// Keeps all of the bytes in place of what is there, or nothing of them.
  virtual void put(const Key &key, std::string_view bytes) = 0;
  virtual void drop(const Key &key) = 0;
};

} // namespace kiln::inline KILN_API_VERSION
