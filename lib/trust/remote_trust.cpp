// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "remote_trust.h"

#include <fmt/format.h>

namespace kiln {

namespace {

/// Rejects a signing key that the writer's own trust list does not allow: readers with this list would refuse
/// its entries.
Result<void> check_sign_key(const TrustOptions &options, const SecretKey &key, const TrustList &list) {
  const TrustedKey *listed = list.find(key.id());
  if (!listed)
    return input_error(
        fmt::format("the trust list {} lacks the key of {}", options.trust_keys_file, options.sign_key_file),
        {}, "add the line: " + public_key_line(key.public_key()));
  const UtcSeconds now = utc_now();
  if (now < listed->from - clock_allowance || now >= listed->until + clock_allowance)
    return input_error(fmt::format("the key of {} is not valid now: the trust list {} allows {} to {}",
                                   options.sign_key_file, options.trust_keys_file, utc_text(listed->from),
                                   utc_text(listed->until - 1)),
                       {}, "sign with another key, or correct the dates in the list");
  return {};
}

} // namespace

Result<RemoteTrust> RemoteTrust::read(const TrustOptions &options) {
  RemoteTrust trust;
  trust.policy_.mode = options.mode;
  if (!options.sign_key_file.empty()) KILN_TRY(trust.key_, SecretKey::read(options.sign_key_file));
  if (options.mode == TrustMode::None) return trust;

  if (!options.trust_keys_file.empty()) {
    KILN_TRY(trust.policy_.list, TrustList::read(options.trust_keys_file));
    if (trust.key_) KILN_CHECK(check_sign_key(options, *trust.key_, trust.policy_.list));
  } else if (trust.key_) {
    trust.policy_.list.add({.key = trust.key_->public_key(), .id = trust.key_->id()});
  } else {
    return make_error(
        ErrorCode::Usage, "a remote needs a list of the keys that this machine trusts", {},
        "give --trust-keys FILE, or --trust none if everybody who can write to the store may run code here");
  }
  return trust;
}

Result<std::string> RemoteTrust::seal(const Digest &name, std::string_view build,
                                      std::string_view payload) const {
  if (!can_seal())
    return make_error(ErrorCode::Usage, "an entry cannot be signed without a key", {},
                      "give --sign-key FILE");
  return seal_envelope(name, build, payload, key_ ? &*key_ : nullptr, utc_now());
}

Result<std::string> RemoteTrust::open(const Digest &name, std::string_view build, std::string bytes) const {
  KILN_TRY(const std::string_view payload, open_envelope(name, build, bytes, policy_, utc_now()));
  bytes.erase(0, size_t(payload.data() - bytes.data())); // the payload is the last part of `bytes`
  return bytes;
}

} // namespace kiln
