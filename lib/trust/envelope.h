// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The envelope of an entry in a remote store. Numbers are little-endian.
//
//   offset   0  magic "KilnSeal"
//            8  version of this format, 4 bytes
//           12  size B of the build id, 4 bytes: 1 to 255
//           16  name of the entry, 32 bytes
//           48  SHA-256 of the payload
//           80  size of the payload, 8 bytes
//           88  time of signing, 8 bytes: seconds since 1970, UTC
//           96  id of the public key, 16 bytes: zeros where nobody signed
//          112  build id, B bytes
//      112 + B  Ed25519 signature, 64 bytes: zeros where nobody signed
//      176 + B  payload, to the end
//
// The signature covers the text "Kiln remote entry, signed header\n" and all bytes before the signature. So
// every byte of an envelope is covered: the payload by its size and digest.
#pragma once

#include "trust_list.h"

namespace kiln {

inline constexpr uint32_t envelope_version = 1;
inline constexpr size_t max_build_id = 255;
inline constexpr std::string_view envelope_magic = "KilnSeal";

/// A writer's clock and a reader's may each be an hour off, in opposite directions. Dates of keys and times
/// of signing are compared with this allowance.
inline constexpr UtcSeconds clock_allowance = 2 * 3600;

/// Why an envelope is not opened.
enum class Refusal : uint8_t {
  Damaged,      ///< cut off, extended, or altered after it was signed
  OtherVersion, ///< of a version of the format that this reader does not know
  WrongName,    ///< another entry
  WrongBuild,   ///< an entry of another build of Kiln
  Unsigned,     ///< nobody signed it, or it is no envelope at all
  UnknownKey,   ///< its key is not in the trust list
  NotYetValid,  ///< signed before its key's first day, or in the future
  ExpiredKey,   ///< its key's last day is over
  BadSignature, ///< the owner of its key did not sign this
};
inline constexpr size_t num_refusals = 9;
/// "unknown key", for reports.
std::string_view text_of(Refusal refusal);
/// The reason in an error of open_envelope; nothing for other errors.
std::optional<Refusal> refusal_of(const Error &error);

struct RefusalCounts {
  std::array<uint64_t, num_refusals> counts{};
  uint64_t &operator[](Refusal refusal) { return counts[size_t(refusal)]; }
  uint64_t operator[](Refusal refusal) const { return counts[size_t(refusal)]; }
  uint64_t total() const;
};

enum class TrustMode : uint8_t {
  Required, ///< `--trust required`, the default: an entry needs a valid signature of a key in the list
  None,     ///< `--trust none`: signatures, keys and dates are not looked at
};
/// Errors (Usage): neither "required" nor "none".
Result<TrustMode> read_trust_mode(std::string_view text);

/// Demands of a reader on entries.
struct TrustPolicy {
  TrustMode mode = TrustMode::Required;
  TrustList list = {};
};

/// An envelope around a payload. `build`: the build id. `key`: null for an envelope that nobody signs.
/// Errors: Usage (a build id that is empty or longer than max_build_id), Machine.
Result<std::string> seal_envelope(const Digest &name, std::string_view build, std::string_view payload,
                                  const SecretKey *key, UtcSeconds now);

/// The payload of an envelope, as a part of `bytes`. `name`, `build`: the entry that the reader asked for.
/// Errors: Input, one for each Refusal (refusal_of); Machine. Thread-safe.
Result<std::string_view> open_envelope(const Digest &name, std::string_view build, std::string_view bytes,
                                       const TrustPolicy &policy, UtcSeconds now);

/// The parts of an envelope, all of them claims: neither the signature nor the payload's digest is checked.
struct EnvelopeParts {
  Digest name{};
  Digest payload_digest{};
  UtcSeconds signed_at = 0;
  KeyId key_id{};
  std::string_view build;
  std::string_view header; ///< all that is signed
  Signature signature{};
  std::string_view payload;
  bool is_signed() const { return key_id != KeyId{}; }
};
/// Errors (Input): Damaged, OtherVersion, Unsigned (no envelope).
Result<EnvelopeParts> split_envelope(std::string_view bytes);

} // namespace kiln
