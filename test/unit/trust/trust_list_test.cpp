// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trust_fixture.h"

#include <trust/utc.h>

using namespace kiln;
using namespace kiln::test;

TEST_CASE("trust list: times of RFC 3339", "[trust]") {
  // Seconds by date(1): date -u -d TEXT +%s
  CHECK(read_utc("2026-12-01")->begin == december);
  CHECK(read_utc("2026-12-01")->end == december + day);
  CHECK(read_utc("2026-12-01T08:30:05Z")->begin == 1796113805);
  CHECK(read_utc("2024-02-29")->begin == 1709164800);
  CHECK(read_utc("9999-12-31")->end == last_utc_second + 1);
  for (const char *wrong :
       {"", "2026-12-1", "2026-13-01", "2026-00-01", "2026-02-29", "2026-12-32", "2026/12/01", "1969-12-31",
        "2026-12-01T", "2026-12-01T24:00:00Z", "2026-12-01T08:60:00Z", "2026-12-01T08:30:60Z",
        "2026-12-01 08:30:00Z", "2026-12-01T08:30:00+01:00", "2026-12-01t08:30:00z", "+026-12-01",
        "2026-12- 1", "-026-12-01"}) {
    INFO(wrong);
    CHECK(!read_utc(wrong));
  }
  CHECK(utc_text(1796113805) == "2026-12-01T08:30:05Z");
  CHECK(utc_text(0) == "1970-01-01T00:00:00Z");
  CHECK(utc_text(last_utc_second) == "9999-12-31T23:59:59Z");
}

TEST_CASE("trust list: keys with names, dates and comments", "[trust]") {
  const std::string text = "# readers of the fleet\n\n  ed25519 " + std::string(public_1) +
                           "  name=ci until=2026-12-01 # old\r\n\ted25519\t" + std::string(public_2) +
                           " from=2026-11-24T06:00:00Z name=ci-2";
  const TrustList list = must(TrustList::parse("list", text));
  REQUIRE(list.keys().size() == 2);
  const TrustedKey &first = list.keys()[0], &second = list.keys()[1];
  CHECK(hex_text(first.key) == public_1);
  CHECK(first.name == "ci");
  CHECK(first.from == 0);
  CHECK(first.until == december + day);
  CHECK(second.from == december - 7 * day + 6 * hour);
  CHECK(second.until == last_utc_second + 1);
  CHECK(list.find(first.id) == &first);
  CHECK(list.find(second.id) == &second);
  CHECK(list.find(KeyId{}) == nullptr);
  // The first half of the digests by sha256sum of the 32 bytes.
  CHECK(hex_text(first.id) == "21fe31dfa154a261626bf854046fd227");
  CHECK(first.label() == "ci (21fe31dfa154a261626bf854046fd227)");
}

TEST_CASE("trust list: each fault has a place", "[trust]") {
  const std::string key = "ed25519 " + std::string(public_1);
  struct Case {
    std::string text;
    std::string_view place, message;
  };
  const Case cases[] = {
      {"", "", "has no key"},
      {"# only this\n", "", "has no key"},
      {"\nrsa abc\n", "list:2:1", "unknown kind of key"},
      {"ed25519\n", "list:1:1", "64 digits are missing"},
      {"ed25519 12ab\n", "list:1:9", "64 digits"},
      {"ed25519 " + std::string(64, 'f') + "\n", "list:1:9", "no Ed25519 key"},
      {"ed25519 " + std::string(64, '0') + "\n", "list:1:9", "no Ed25519 key"},   // a point of small order
      {"ed25519 01" + std::string(62, '0') + "\n", "list:1:9", "no Ed25519 key"}, // the neutral element
      {key + "\n" + key + "\n", "list:2:9", "in the list already"},
      {key + " nmae=x\n", "list:1:74", "unknown word"},
      {key + " name=\n", "list:1:74", "a name has"},
      {key + " name=a/b\n", "list:1:74", "a name has"},
      {key + " name=a name=b\n", "list:1:81", "one name"},
      {key + " from=2026-02-30\n", "list:1:74", "expected a date"},
      {key + " from=2026-01-01 from=2026-01-02\n", "list:1:90", "one date"},
      {key + " from=2026-01-02 until=2026-01-01\n", "list:1:9", "never valid"},
  };
  for (const Case &each : cases) {
    const auto list = TrustList::parse("list", each.text);
    INFO(each.text);
    REQUIRE(!list.ok());
    const std::string message = list.error().what();
    INFO(message);
    CHECK(message.find(each.place) != std::string::npos);
    CHECK(message.find(each.message) != std::string::npos);
  }
  const auto several = TrustList::parse("list", "rsa 1\n" + key + "\ndsa 2\n");
  REQUIRE(!several.ok());
  CHECK(several.error().diagnostics().size() == 2);
}

TEST_CASE("trust list: a secret key in it is refused without showing it", "[trust]") {
  const auto list = TrustList::parse("list", "\ned25519-secret " + std::string(seed_1) + "\n");
  REQUIRE(!list.ok());
  const std::string message = list.error().what();
  CHECK(message.find("list:2:1") != std::string::npos);
  CHECK(message.find(seed_1.substr(0, 16)) == std::string::npos);
}

TEST_CASE("trust list: a file that others may write to is refused", "[trust]") {
  const Scratch folder;
  const std::string path = folder.path / "list";
  write_text(path, "ed25519 " + std::string(public_1) + "\n", 0644);
  CHECK(must(TrustList::read(path)).keys().size() == 1);
  for (const mode_t mode : {0664, 0646}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    const auto list = TrustList::read(path);
    REQUIRE(!list.ok());
    CHECK(list.error().what().find("other users may write") != std::string::npos);
  }
  CHECK(!TrustList::read(path + "missing").ok());
}
