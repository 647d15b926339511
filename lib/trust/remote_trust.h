// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options --trust, --trust-keys and --sign-key of an agent, and what they do with entries.
#pragma once

#include "envelope.h"

namespace kiln {

struct TrustOptions {
  TrustMode mode = TrustMode::Required;
  std::string trust_keys_file; ///< empty: the signing key alone is trusted
  std::string sign_key_file;   ///< empty: this machine writes nothing that others would trust
};

/// Opens and seals the entries of one agent. Thread-safe.
class RemoteTrust {
public:
  /// Reads the files once. Errors: Usage (trust is required, and both files are missing), Input (a fault of a
  /// file; a trust list in which the signing key is missing or not valid now), Machine.
  static Result<RemoteTrust> read(const TrustOptions &options);

  /// Whether seal() is of use: false for readers without a signing key.
  bool can_seal() const { return key_ || policy_.mode == TrustMode::None; }
  /// An envelope for upload. Errors: those of seal_envelope; Usage (can_seal() is false).
  Result<std::string> seal(const Digest &name, std::string_view build, std::string_view payload) const;
  /// The payload of a fetched envelope. Errors: those of open_envelope.
  Result<std::string> open(const Digest &name, std::string_view build, std::string bytes) const;

private:
  TrustPolicy policy_;
  std::optional<SecretKey> key_;
};

} // namespace kiln
