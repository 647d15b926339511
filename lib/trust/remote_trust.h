// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies the agent's options --trust, --trust-keys and --sign-key: opens and seals entries of remote stores.
#pragma once

#include "envelope.h"

namespace kiln {

struct TrustOptions {
  TrustMode mode = TrustMode::Required;
  std::string trust_keys_file; ///< path of the trust list; empty: the agent trusts only its signing key
  std::string sign_key_file;   ///< path of the signing key; empty: this machine signs no entries
};

/// Opens and seals the remote entries of one agent. Thread-safe.
class RemoteTrust {
public:
  /// Reads the files of the options once. Errors: Usage (trust is required, and both files are missing),
  /// Input (a faulty file; a trust list without the signing key, or with dates that exclude now), Machine.
  static Result<RemoteTrust> read(const TrustOptions &options);

  /// Returns true if seal() may be called. False if trust is required and there is no signing key.
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
