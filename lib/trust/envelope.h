// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The envelope of an entry in a remote store: a signed header and the entry's bytes (the payload). Numbers
// are little-endian.
//
//   offset   0  magic "KilnSeal"
//            8  version of this format, 4 bytes
//           12  size B of the build id, 4 bytes: 1 to 255
//           16  name of the entry, 32 bytes
//           48  SHA-256 of the payload
//           80  size of the payload, 8 bytes
//           88  time of signing, 8 bytes: seconds since 1970, UTC
//           96  id of the public key, 16 bytes: zeros if unsigned
//          112  build id, B bytes
//      112 + B  Ed25519 signature, 64 bytes: zeros if unsigned
//      176 + B  payload, to the end
//
// The signature covers the text "Kiln remote entry, signed header\n" and all bytes before the signature. The
// header contains the payload's size and digest, so that the signature protects each byte of an envelope.
#pragma once

#include "trust_list.h"

namespace kiln {

inline constexpr uint32_t envelope_version = 1;
inline constexpr size_t max_build_id = 255;
inline constexpr std::string_view envelope_magic = "KilnSeal";

/// Tolerance in seconds when a key's dates are compared with signing times. The clocks of writer and reader
/// may each be wrong by an hour, in opposite directions.
inline constexpr UtcSeconds clock_allowance = 2 * 3600;

/// Reason for refusing an envelope.
enum class Refusal : uint8_t {
  Damaged,      ///< truncated, extended, or altered after signing
  OtherVersion, ///< its format version is unknown to this reader
  WrongName,    ///< of another entry
  WrongBuild,   ///< of another build of Kiln
  Unsigned,     ///< unsigned, or not an envelope at all
  UnknownKey,   ///< the key that signed it is missing in the trust list
  NotYetValid,  ///< signed before its key's first day, or in the future
  ExpiredKey,   ///< its key's last day is over
  BadSignature, ///< the key's owner did not sign this
};
inline constexpr size_t num_refusals = 9;
/// "unknown key", for reports.
std::string_view text_of(Refusal refusal);
/// Returns the reason in an error of open_envelope(). No value: another error.
std::optional<Refusal> refusal_of(const Error &error);

struct RefusalCounts {
  std::array<uint64_t, num_refusals> counts{};
  uint64_t &operator[](Refusal refusal) { return counts[size_t(refusal)]; }
  uint64_t operator[](Refusal refusal) const { return counts[size_t(refusal)]; }
  uint64_t total() const;
};

enum class TrustMode : uint8_t {
  Required, ///< `--trust required`, the default: entries need a valid signature by a key of the trust list
  None,     ///< `--trust none`: signatures, keys and dates are not checked
};
/// Parses "required" or "none". Error: Usage for any other text.
Result<TrustMode> read_trust_mode(std::string_view text);

/// A reader's requirements on entries.
struct TrustPolicy {
  TrustMode mode = TrustMode::Required;
  TrustList list = {};
};

/// Makes an envelope around a payload. `build`: the build id. `key`: null for an unsigned envelope. Errors:
/// Usage (a build id that is empty or longer than max_build_id), Machine.
Result<std::string> seal_envelope(const Digest &name, std::string_view build, std::string_view payload,
                                  const SecretKey *key, UtcSeconds now);

/// Returns the payload of an envelope, as a part of `bytes`. `name`, `build`: name and build id of the
/// requested entry. Errors: Input, one for each Refusal (refusal_of); Machine. Thread-safe.
Result<std::string_view> open_envelope(const Digest &name, std::string_view build, std::string_view bytes,
                                       const TrustPolicy &policy, UtcSeconds now);

/// Parts of an envelope before verification: neither the signature nor the payload's digest is checked.
struct EnvelopeParts {
  Digest name{};
  Digest payload_digest{};
  UtcSeconds signed_at = 0;
  KeyId key_id{};
  std::string_view build;
  std::string_view header; ///< the signed bytes
  Signature signature{};
  std::string_view payload;
  bool is_signed() const { return key_id != KeyId{}; }
};
/// Splits an envelope without verifying it. Error: Input, for refusals Damaged, OtherVersion and Unsigned (no
/// envelope).
Result<EnvelopeParts> split_envelope(std::string_view bytes);

} // namespace kiln
