// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests with a second hash: what enters it, and when there is none. The hash of this test keeps the last
// bytes that it was given.
#include <support/strong_digest.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>

namespace kiln::test {

namespace {

struct LastBytes final : StrongHash {
  std::array<std::byte, 32> last{};
  void update(const void *data, size_t size) override {
    const auto *bytes = static_cast<const std::byte *>(data);
    for (size_t i = 0; i < size; i++) {
      std::rotate(last.begin(), last.begin() + 1, last.end());
      last.back() = bytes[i];
    }
  }
  std::array<std::byte, 32> finish() override { return last; }
};

std::string text_of(const Fingerprint &f) {
  std::string text;
  for (std::byte each : f.strong)
    if (each != std::byte(0)) text += char(each);
  return text;
}

} // namespace

// Enabling lasts until the process ends, so one case holds all of it, in order.
TEST_CASE("a strong digest is made beside the short one, from the same content") {
  const Fingerprint before = Fingerprinter().add("abc").finish();
  CHECK_FALSE(before.is_strong());
  CHECK(same_content(before, Fingerprinter().add("abc").finish()));

  enable_strong_digests([]() -> std::unique_ptr<StrongHash> { return std::make_unique<LastBytes>(); });
  const Fingerprint abc = Fingerprinter().bytes("abc", 3).finish();
  CHECK(text_of(abc) == "abc");
  CHECK(Fingerprinter().add("abc").finish() == before); // the short digest is what it was
  CHECK_FALSE(same_content(before, Fingerprinter().add("abc").finish()));

  { // of a part that is a digest, the strong one enters
    const Fingerprint outer = Fingerprinter().add(abc).finish();
    CHECK(text_of(outer) == "abc");
    CHECK(outer == Fingerprinter().add(Fingerprint{abc.high, abc.low}).finish());
  }
  { // a part without one leaves none
    CHECK_FALSE(Fingerprinter().add("x").add(before).add("y").finish().is_strong());
  }
  { // two contents of one short digest differ
    Fingerprint twin = abc;
    twin.strong[0] = std::byte('t');
    CHECK(twin == abc);
    CHECK_FALSE(same_content(twin, abc));
    CHECK(text_of(Fingerprinter().add(twin).finish()) != text_of(Fingerprinter().add(abc).finish()));
  }
  { // checksums have none
    CHECK_FALSE(Fingerprinter(Fingerprinter::Use::Checksum).add("abc").finish().is_strong());
    CHECK_FALSE(fingerprint_of("abc").is_strong());
  }
  { // content may enter the strong one alone
    Fingerprinter with;
    with.bytes("a", 1).add_strong("b");
    CHECK(text_of(with.finish()) == "a\1b"); // a length precedes it
    CHECK(with.finish() == Fingerprinter().bytes("a", 1).finish());
  }
}

} // namespace kiln::test
