// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "envelope.h"

#include <support/bytes.h>

#include <fmt/format.h>
#include <numeric>

namespace kiln {

namespace {

constexpr size_t fixed_header_size = 112;
constexpr std::string_view signed_prefix =
    "Kiln remote entry, signed header\n"; // prefix of signed texts; no other use of a key has this prefix

struct RefusalWords {
  std::string_view name; ///< Diagnostic::subject
  std::string_view text;
};
constexpr RefusalWords refusal_words[num_refusals] = {
    {"Damaged", "damaged"},           {"OtherVersion", "other version"}, {"WrongName", "wrong name"},
    {"WrongBuild", "wrong build"},    {"Unsigned", "unsigned"},          {"UnknownKey", "unknown key"},
    {"NotYetValid", "not yet valid"}, {"ExpiredKey", "expired key"},     {"BadSignature", "bad signature"}};

Error refuse(Refusal refusal, std::string message, std::string hint) {
  Error error = input_error(std::move(message), {}, std::move(hint));
  error.diagnostics().front().subject = refusal_words[size_t(refusal)].name;
  return error;
}

template <size_t N> void read_bytes(ByteReader &in, std::array<std::byte, N> &bytes) {
  for (std::byte &each : bytes) each = std::byte(in.number<uint8_t>());
}
std::string_view text_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

std::string signed_text(std::string_view header) {
  std::string text;
  text.reserve(signed_prefix.size() + header.size());
  return text.append(signed_prefix).append(header);
}

Result<void> check_dates(const std::string &entry, const TrustedKey &key, UtcSeconds signed_at,
                         UtcSeconds now) {
  if (now >= key.until + clock_allowance)
    return refuse(Refusal::ExpiredKey,
                  fmt::format("{} is signed by the key {}, which was valid until {}", entry, key.label(),
                              utc_text(key.until - 1)),
                  "sign it again with a key that is valid: kiln cache sign");
  if (signed_at > now + clock_allowance)
    return refuse(Refusal::NotYetValid,
                  fmt::format("{} was signed at {}, which is in the future", entry, utc_text(signed_at)),
                  "set the clocks of this machine and of the writer");
  if (now < key.from - clock_allowance || signed_at < key.from - clock_allowance)
    return refuse(Refusal::NotYetValid,
                  fmt::format("{} was signed at {} by the key {}, which is valid from {}", entry,
                              utc_text(signed_at), key.label(), utc_text(key.from)),
                  "set the clock of the writer, or correct the date `from` in the trust list");
  return {};
}

Result<void> check_signature(const std::string &entry, const EnvelopeParts &parts, const TrustList &list,
                             UtcSeconds now) {
  if (!parts.is_signed())
    return refuse(Refusal::Unsigned, entry + " is not signed",
                  "give the writer a key (--sign-key FILE), or sign the store's entries: kiln cache sign");
  const TrustedKey *key = list.find(parts.key_id);
  if (!key)
    return refuse(
        Refusal::UnknownKey,
        fmt::format("{} is signed by the key {}, which the trust list lacks", entry, hex_text(parts.key_id)),
        "if you trust its owner, add the key to the file of --trust-keys");
  KILN_CHECK(check_dates(entry, *key, parts.signed_at, now));
  if (!is_signed(signed_text(parts.header), parts.signature, key->key))
    return refuse(Refusal::BadSignature,
                  fmt::format("{} names the key {}, whose owner did not sign it", entry, key->label()),
                  "it may be forged: find out who can write to the store");
  return {};
}

} // namespace

std::string_view text_of(Refusal refusal) { return refusal_words[size_t(refusal)].text; }

std::optional<Refusal> refusal_of(const Error &error) {
  for (size_t i = 0; i < num_refusals; i++)
    if (error.diagnostics().front().subject == refusal_words[i].name) return Refusal(i);
  return std::nullopt;
}

uint64_t RefusalCounts::total() const { return std::accumulate(counts.begin(), counts.end(), uint64_t(0)); }

Result<TrustMode> read_trust_mode(std::string_view text) {
  if (text == "required") return TrustMode::Required;
  if (text == "none") return TrustMode::None;
  return usage_error(fmt::format("--trust {}: expected required or none", text));
}

Result<std::string> seal_envelope(const Digest &name, std::string_view build, std::string_view payload,
                                  const SecretKey *key, UtcSeconds now) {
  if (build.empty() || build.size() > max_build_id)
    return usage_error(fmt::format("a build id of {} bytes: expected 1 to {}", build.size(), max_build_id));
  KILN_TRY(const Digest digest, sha256(payload));
  std::string bytes;
  bytes.reserve(fixed_header_size + build.size() + sizeof(Signature) + payload.size());
  bytes.append(envelope_magic).append(ByteWriter().add(envelope_version).add(uint32_t(build.size())).take());
  bytes.append(text_bytes(name)).append(text_bytes(digest));
  bytes.append(ByteWriter().add(uint64_t(payload.size())).add(int64_t(now)).take());
  bytes.append(text_bytes(key ? key->id() : KeyId{})).append(build);
  const Signature signature = key ? key->sign(signed_text(bytes)) : Signature{};
  return std::move(bytes.append(text_bytes(signature)).append(payload));
}

Result<EnvelopeParts> split_envelope(std::string_view bytes) {
  const auto damaged = [](std::string_view how) {
    return refuse(Refusal::Damaged, fmt::format("the envelope of an entry is damaged: {}", how),
                  "remove it from the store; Kiln compiles it again");
  };
  if (!bytes.starts_with(envelope_magic))
    return refuse(Refusal::Unsigned, "an entry without an envelope",
                  "remove it from the store; another program may use the same one");
  ByteReader in(bytes.substr(envelope_magic.size()));
  const uint32_t version = in.number<uint32_t>();
  if (!in.failed() && version != envelope_version)
    return refuse(
        Refusal::OtherVersion,
        fmt::format("an envelope of version {}; this Kiln reads version {}", version, envelope_version),
        "give each version of Kiln a prefix of its own in the store's URL");
  EnvelopeParts parts;
  const uint32_t build_size = in.number<uint32_t>();
  read_bytes(in, parts.name);
  read_bytes(in, parts.payload_digest);
  const uint64_t payload_size = in.number<uint64_t>();
  parts.signed_at = in.number<int64_t>();
  read_bytes(in, parts.key_id);
  const size_t header_size = fixed_header_size + build_size;
  if (in.failed() || build_size == 0 || build_size > max_build_id ||
      bytes.size() < header_size + sizeof(Signature))
    return damaged("its header is cut off");
  if (parts.signed_at < 0 || parts.signed_at > last_utc_second)
    return damaged("its time of signing does not exist");
  parts.build = bytes.substr(fixed_header_size, build_size);
  parts.header = bytes.substr(0, header_size);
  std::memcpy(parts.signature.data(), bytes.data() + header_size, sizeof(Signature));
  parts.payload = bytes.substr(header_size + sizeof(Signature));
  if (parts.payload.size() != payload_size)
    return damaged(
        fmt::format("{} bytes of payload, and its header says {}", parts.payload.size(), payload_size));
  return parts;
}

Result<std::string_view> open_envelope(const Digest &name, std::string_view build, std::string_view bytes,
                                       const TrustPolicy &policy, UtcSeconds now) {
  KILN_TRY(const EnvelopeParts parts, split_envelope(bytes));
  const std::string entry = "the entry " + hex_text(name);
  if (parts.name != name)
    return refuse(Refusal::WrongName,
                  fmt::format("another entry, {}, in the place of {}", hex_text(parts.name), entry),
                  "it was copied or renamed in the store: find out who can write to it");
  if (parts.build != build)
    return refuse(
        Refusal::WrongBuild, entry + " was made by another build of Kiln",
        "let all machines that share a store run one build, or give each build a prefix of its own");
  if (policy.mode == TrustMode::Required) KILN_CHECK(check_signature(entry, parts, policy.list, now));
  KILN_TRY(const Digest digest, sha256(parts.payload));
  if (digest != parts.payload_digest)
    return refuse(Refusal::Damaged, entry + " is damaged: its payload is not the one that was sealed",
                  "remove it from the store; Kiln compiles it again");
  return parts.payload;
}

} // namespace kiln
