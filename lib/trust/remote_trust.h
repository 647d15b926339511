// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options --trust, --trust-keys and --sign-key of an agent, and the opening and sealing of entries.
#pragma once

#include "envelope.h"

namespace kiln {

struct TrustOptions {
  TrustMode mode = TrustMode::Required;
  std::string trust_keys_file; ///< empty: only the signing key is trusted
  std::string sign_key_file;   ///< empty: this machine writes no signed entries
};

/// Opens and seals the entries of one agent. Thread-safe.
class RemoteTrust {
public:
  /// Reads the files once. Errors: Usage (trust is required, and both files are missing), Input (a faulty
  /// file; a trust list without the signing key, or in which it is not valid now), Machine.
  static Result<RemoteTrust> read(const TrustOptions &options);

  /// Returns true if seal() may be called: false for readers without a signing key.
  bool can_seal() const { return key_ || policy_.mode == TrustMode::None; }
  /// Makes an envelope for upload. Errors: those of seal_envelope; Usage (can_seal() is false).
  Result<std::string> seal(const Digest &name, std::string_view build, std::string_view payload) const;
  /// Returns the payload of a fetched envelope. Errors: those of open_envelope.
  Result<std::string> open(const Digest &name, std::string_view build, std::string bytes) const;

private:
  TrustPolicy policy_;
  std::optional<SecretKey> key_;
};

} // namespace kiln
