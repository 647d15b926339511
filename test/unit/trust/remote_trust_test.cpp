// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trust_fixture.h"

using namespace kiln;
using namespace kiln::test;

namespace {

struct Files {
  Scratch folder;
  std::string key = folder.path / "sign", list = folder.path / "list";
  Digest name = name_number(1);
  Files() {
    write_text(key, "ed25519-secret " + std::string(seed_1) + "\n");
    write_text(list, "ed25519 " + std::string(public_1) + "\n");
  }
};

} // namespace

TEST_CASE("remote trust: writers, readers, and nobody", "[trust]") {
  const Files files;
  const RemoteTrust writer = must(RemoteTrust::read({.sign_key_file = files.key}));
  const RemoteTrust reader = must(RemoteTrust::read({.trust_keys_file = files.list}));
  const RemoteTrust open_to_all = must(RemoteTrust::read({.mode = TrustMode::None}));
  CHECK(writer.can_seal());
  CHECK(!reader.can_seal());
  CHECK(!reader.seal(files.name, "b", "x").ok());
  CHECK(open_to_all.can_seal());

  const std::string payload(5000, 'p');
  const std::string sealed = must(writer.seal(files.name, "b", payload));
  CHECK(must(writer.open(files.name, "b", sealed)) == payload);
  CHECK(must(reader.open(files.name, "b", sealed)) == payload);
  CHECK(must(open_to_all.open(files.name, "b", sealed)) == payload);
  const std::string unsigned_one = must(open_to_all.seal(files.name, "b", ""));
  CHECK(must(open_to_all.open(files.name, "b", unsigned_one)).empty());
  const auto opened = reader.open(files.name, "b", unsigned_one);
  REQUIRE(!opened.ok());
  CHECK(refusal_of(opened.error()) == Refusal::Unsigned);
}

TEST_CASE("remote trust: options that cannot work are refused", "[trust]") {
  const Files files;
  const auto nothing = RemoteTrust::read({});
  REQUIRE(!nothing.ok());
  CHECK(nothing.error().kind() == ErrorKind::Usage);
  CHECK(nothing.error().what().find("--trust none") != std::string::npos);
  CHECK(!RemoteTrust::read({.trust_keys_file = files.list + "x"}).ok());
  CHECK(!RemoteTrust::read({.sign_key_file = files.key + "x"}).ok());

  const TrustOptions both{.trust_keys_file = files.list, .sign_key_file = files.key};
  CHECK(RemoteTrust::read(both).ok());
  for (const std::string &line :
       {"ed25519 " + std::string(public_2), "ed25519 " + std::string(public_1) + " until=2020-01-01"}) {
    write_text(files.list, line + "\n");
    const auto read = RemoteTrust::read(both);
    REQUIRE(!read.ok());
    CHECK(read.error().kind() == ErrorKind::Input);
  }
}
