// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ed25519 keys (RFC 8032) and their files, which are lines of text:
//
//   secret key, mode 0600   ed25519-secret SEED       SEED: 32 bytes (RFC 8032) as 64 hexadecimal digits
//   public key              ed25519 KEY [name=NAME]   a line of a trust list (trust_list.h)
//
// Empty lines and lines that begin with # are skipped.
#pragma once

#include "digest.h"
#include "secret.h"

namespace kiln {

using PublicKey = std::array<std::byte, 32>;
using Signature = std::array<std::byte, 64>;

/// Short identifier of a public key in envelopes and messages: the first 16 bytes of its SHA-256.
using KeyId = std::array<std::byte, 16>;
Result<KeyId> id_of(const PublicKey &key);

/// Formats "ed25519 KEY", followed by " name=NAME" unless the name is empty.
std::string public_key_line(const PublicKey &key, std::string_view name = {});

/// Returns true if `signature` is a signature of the message by the key. Thread-safe; takes 33 us on one core
/// of an EPYC.
bool is_signed(std::string_view message, const Signature &signature, const PublicKey &key);

/// A secret key, stored in SecretBytes. Thread-safe after construction.
class SecretKey {
public:
  /// Makes a new random key. Error: Machine.
  static Result<SecretKey> generate();
  /// Reads a secret key from its file. Errors: Input (those of read_secret_file; a text that is no key, with
  /// line and column), Machine.
  static Result<SecretKey> read(const std::string &path);

  /// Writes the key to a new file with mode 0600. Errors: Input (the file exists, or its folder is missing),
  /// Machine.
  Result<void> write(const std::string &path) const;

  const PublicKey &public_key() const { return public_key_; }
  const KeyId &id() const { return id_; }
  Signature sign(std::string_view message) const;

private:
  static Result<SecretKey> from_seed(std::span<const std::byte> seed);
  SecretBytes key_; ///< seed and public key in libsodium's layout
  PublicKey public_key_{};
  KeyId id_{};
};

} // namespace kiln
