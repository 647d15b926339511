// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trust_fixture.h"

using namespace kiln;
using namespace kiln::test;

namespace {

std::string list_1() { return "ed25519 " + std::string(public_1) + " name=ci"; }

struct Sealed {
  Scratch folder;
  SecretKey key = read_key(folder, seed_1);
  Digest name = name_number(7);
  std::string payload = "payload of an entry";
  std::string bytes = must(seal_envelope(name, "build 1", payload, &key, december));
  TrustPolicy policy = trusting(list_1());

  Result<std::string_view> open(UtcSeconds now = december) const {
    return open_envelope(name, "build 1", bytes, policy, now);
  }
};

} // namespace

TEST_CASE("envelope: a signed entry opens", "[trust]") {
  const Sealed sealed;
  CHECK(must(sealed.open()) == sealed.payload);
  CHECK(sealed.bytes.size() == 176 + 7 + sealed.payload.size());
  CHECK(sealed.bytes.starts_with(std::string("KilnSeal\1\0\0\0\7\0\0\0\7", 17)));
  // Empty and large payloads, binary ones too.
  for (const size_t size : {size_t(0), size_t(1), size_t(3) << 20}) {
    const std::string payload(size, '\0');
    const std::string bytes = must(seal_envelope(sealed.name, "b", payload, &sealed.key, december));
    CHECK(must(open_envelope(sealed.name, "b", bytes, sealed.policy, december)) == payload);
  }
  CHECK(!seal_envelope(sealed.name, "", "", &sealed.key, december).ok());
  CHECK(!seal_envelope(sealed.name, std::string(256, 'b'), "", &sealed.key, december).ok());
  CHECK(seal_envelope(sealed.name, std::string(255, 'b'), "", &sealed.key, december).ok());
}

TEST_CASE("envelope: each refusal has its reason", "[trust]") {
  Sealed sealed;
  const auto open_changed = [&](size_t at, char value) {
    std::string bytes = sealed.bytes;
    bytes[at] = value;
    return refused(open_envelope(sealed.name, "build 1", bytes, sealed.policy, december));
  };
  CHECK(refused(open_envelope(name_number(8), "build 1", sealed.bytes, sealed.policy, december)) ==
        Refusal::WrongName);
  CHECK(refused(open_envelope(sealed.name, "build 2", sealed.bytes, sealed.policy, december)) ==
        Refusal::WrongBuild);
  CHECK(refused(open_envelope(sealed.name, "build", sealed.bytes, sealed.policy, december)) ==
        Refusal::WrongBuild);
  CHECK(refused(open_envelope(sealed.name, "build 1", "raw content", sealed.policy, december)) ==
        Refusal::Unsigned);
  CHECK(refused(open_envelope(sealed.name, "build 1", "", sealed.policy, december)) == Refusal::Unsigned);
  CHECK(open_changed(8, 0) == Refusal::OtherVersion);
  CHECK(open_changed(8, 2) == Refusal::OtherVersion);
  CHECK(open_changed(16, 6) == Refusal::WrongName);
  CHECK(open_changed(48, 'x') == Refusal::BadSignature); // the payload's digest
  CHECK(open_changed(88, 'x') == Refusal::BadSignature); // the time of signing
  CHECK(open_changed(95, '\x80') == Refusal::Damaged);   // a time before 1970
  CHECK(open_changed(95, '\x7f') == Refusal::Damaged);   // and one after 9999
  CHECK(open_changed(96, 'x') == Refusal::UnknownKey);
  CHECK(open_changed(112 + 7, 'x') == Refusal::BadSignature); // the signature itself
  CHECK(open_changed(176 + 7, 'x') == Refusal::Damaged);      // the payload
  for (size_t size = 8; size < sealed.bytes.size(); size++)
    CHECK(refused(open_envelope(sealed.name, "build 1", sealed.bytes.substr(0, size), sealed.policy,
                                december)) == Refusal::Damaged);
  CHECK(refused(open_envelope(sealed.name, "build 1", sealed.bytes + "x", sealed.policy, december)) ==
        Refusal::Damaged);
  CHECK(split_envelope(sealed.bytes).ok());
  CHECK(!split_envelope(sealed.bytes + "x").ok()); // by the size alone

  RefusalCounts counts;
  counts[Refusal::Damaged]++;
  counts[Refusal::BadSignature] += 2;
  CHECK(counts.total() == 3);
}

TEST_CASE("envelope: who signs decides", "[trust]") {
  Sealed sealed;
  sealed.policy = trusting("ed25519 " + std::string(public_2));
  CHECK(refused(sealed.open()) == Refusal::UnknownKey);
  sealed.policy = {}; // trusts nobody
  CHECK(refused(sealed.open()) == Refusal::UnknownKey);
  sealed.policy = {.mode = TrustMode::None};
  CHECK(must(sealed.open()) == sealed.payload);
  sealed.policy = trusting("ed25519 " + std::string(public_2) + "\n" + list_1());
  CHECK(must(sealed.open()) == sealed.payload);

  // Key 2 signs, and claims to be key 1.
  const SecretKey other = read_key(sealed.folder, seed_2);
  std::string forged = must(seal_envelope(sealed.name, "build 1", "evil", &other, december));
  forged.replace(96, 16, sealed.bytes.substr(96, 16));
  CHECK(refused(open_envelope(sealed.name, "build 1", forged, trusting(list_1()), december)) ==
        Refusal::BadSignature);
}

TEST_CASE("envelope: an unsigned one opens without trust alone", "[trust]") {
  Sealed sealed;
  sealed.bytes = must(seal_envelope(sealed.name, "build 1", sealed.payload, nullptr, december));
  CHECK(refused(sealed.open()) == Refusal::Unsigned);
  sealed.policy.mode = TrustMode::None;
  CHECK(must(sealed.open()) == sealed.payload);
  // What needs no key is checked without one.
  CHECK(refused(open_envelope(name_number(8), "build 1", sealed.bytes, sealed.policy, december)) ==
        Refusal::WrongName);
  CHECK(refused(open_envelope(sealed.name, "build 2", sealed.bytes, sealed.policy, december)) ==
        Refusal::WrongBuild);
  sealed.bytes.back() ^= 1;
  CHECK(refused(sealed.open()) == Refusal::Damaged);
}

TEST_CASE("envelope: two hours of difference between clocks are allowed", "[trust]") {
  Sealed sealed;
  CHECK(sealed.open(december - 2 * hour).ok());
  CHECK(refused(sealed.open(december - 2 * hour - 1)) == Refusal::NotYetValid); // signed in the future
  CHECK(sealed.open(december + 3000 * day).ok()); // without dates, a signature does not grow old

  sealed.policy = trusting(list_1() + " until=2026-12-01");
  CHECK(sealed.open(december + 26 * hour - 1).ok());
  CHECK(refused(sealed.open(december + 26 * hour)) == Refusal::ExpiredKey);

  sealed.policy = trusting(list_1() + " from=2026-12-01T02:00:00Z");
  CHECK(sealed.open(december).ok());
  CHECK(refused(sealed.open(december - 1)) == Refusal::NotYetValid); // by the reader's clock
  sealed.policy = trusting(list_1() + " from=2026-12-01T02:00:01Z");
  CHECK(refused(sealed.open(december)) == Refusal::NotYetValid);
  CHECK(refused(sealed.open(december + day)) == Refusal::NotYetValid); // signed before its key's first second
}

TEST_CASE("envelope: two keys are valid while one replaces the other", "[trust]") {
  Sealed sealed;
  const SecretKey next = read_key(sealed.folder, seed_2);
  const std::string later = must(seal_envelope(sealed.name, "build 1", "new", &next, december + 10 * day));
  const TrustPolicy policy =
      trusting(list_1() + " until=2026-12-14\ned25519 " + std::string(public_2) + " from=2026-12-07");
  const auto open = [&](std::string_view bytes, UtcSeconds now) {
    return open_envelope(sealed.name, "build 1", bytes, policy, now);
  };
  CHECK(open(sealed.bytes, december + 11 * day).ok());
  CHECK(open(later, december + 11 * day).ok());
  CHECK(refused(open(sealed.bytes, december + 15 * day)) == Refusal::ExpiredKey);
  CHECK(open(later, december + 15 * day).ok());
}

TEST_CASE("envelope: the words of --trust", "[trust]") {
  CHECK(must(read_trust_mode("required")) == TrustMode::Required);
  CHECK(must(read_trust_mode("none")) == TrustMode::None);
  for (const char *wrong : {"", "None", "no", "required "}) CHECK(!read_trust_mode(wrong).ok());
}
