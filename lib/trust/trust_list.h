// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public keys that a reader trusts: a text file with one key per line.
//
//   ed25519 KEY [name=NAME] [from=DATE] [until=DATE]     # comment
//
// KEY is 64 hexadecimal digits. NAME is for messages. A key is valid from the first second of `from` to the
// last second of `until`. DATE is 2026-12-01 or 2026-12-01T08:30:00Z. Several keys may be valid at once,
// which allows a change of keys.
#pragma once

#include "keys.h"
#include "utc.h"

#include <vector>

namespace kiln {

struct TrustedKey {
  PublicKey key{};
  KeyId id{};
  std::string name; ///< may be empty
  UtcSeconds from = 0;
  UtcSeconds until = last_utc_second + 1; ///< the first second at which it is invalid

  /// "ci (3f2a...)" or "3f2a...", for messages.
  std::string label() const;
};

class TrustList {
public:
  /// Reads and parses a file. Errors (Input): unreadable; writable by others than the user or root; each
  /// fault of its text, with line and column; no key.
  static Result<TrustList> read(const std::string &path);
  /// Parses a text. `file_name` is for messages. Errors (Input): each fault of the text; no key.
  static Result<TrustList> parse(std::string file_name, std::string text);

  void add(TrustedKey key) { keys_.push_back(std::move(key)); }
  /// Null: the key is not trusted.
  const TrustedKey *find(const KeyId &id) const;
  const std::vector<TrustedKey> &keys() const { return keys_; }

private:
  std::vector<TrustedKey> keys_;
};

} // namespace kiln
