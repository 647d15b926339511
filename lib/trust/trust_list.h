// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trust list: public keys that a reader trusts, in a text file with one key per line.
//
//   ed25519 KEY [name=NAME] [from=DATE] [until=DATE]     # comment
//
// KEY is 64 hexadecimal digits. NAME is for messages. A key is valid from the first second of `from` to the
// last second of `until`. DATE is 2026-12-01 or 2026-12-01T08:30:00Z. Several keys may be valid at the same
// time, so that one key can replace another.
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
  UtcSeconds until = last_utc_second + 1; ///< first second after the key's validity

  /// Formats the key's name and id for messages: "ci (3f2a...)", or "3f2a..." without a name.
  std::string label() const;
};

class TrustList {
public:
  /// Reads and parses a file. Errors (Input): an unreadable file; one that others than the user or root may
  /// write; each fault in the text, with line and column; a list without keys.
  static Result<TrustList> read(const std::string &path);
  /// Parses a text. `file_name` is for messages. Errors (Input): each fault in the text; a list without keys.
  static Result<TrustList> parse(std::string file_name, std::string text);

  void add(TrustedKey key) { keys_.push_back(std::move(key)); }
  /// Finds a key by its id. Null: the key is not trusted.
  const TrustedKey *find(const KeyId &id) const;
  const std::vector<TrustedKey> &keys() const { return keys_; }

private:
  std::vector<TrustedKey> keys_;
};

} // namespace kiln
