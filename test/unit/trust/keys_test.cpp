// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trust_fixture.h"

using namespace kiln;
using namespace kiln::test;

TEST_CASE("keys: secret key files sign as in RFC 8032", "[trust]") {
  struct Vector {
    std::string_view seed, key, message, signature;
  };
  // Section 7.1, tests 1 to 3.
  const Vector vectors[] = {
      {seed_1, public_1, "",
       "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
      {seed_2, public_2, "72",
       "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
      {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
       "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
       "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
  };
  const Scratch folder;
  for (const Vector &each : vectors) {
    const SecretKey key = read_key(folder, each.seed);
    CHECK(hex_text(key.public_key()) == each.key);
    std::vector<std::byte> message(each.message.size() / 2);
    REQUIRE(read_hex(each.message, message));
    const std::string_view text(reinterpret_cast<const char *>(message.data()), message.size());
    CHECK(hex_text(key.sign(text)) == each.signature);

    Signature signature;
    REQUIRE(read_hex(each.signature, signature));
    CHECK(is_signed(text, signature, key.public_key()));
    CHECK(!is_signed(std::string(text) + "x", signature, key.public_key()));
    const PublicKey listed = trusting("ed25519 " + std::string(each.key)).list.keys()[0].key;
    CHECK(listed == key.public_key());
  }
}

TEST_CASE("keys: SHA-256 of FIPS 180-4's examples", "[trust]") {
  CHECK(hex_text(must(sha256("abc"))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex_text(must(sha256(""))) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex_text(must(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("keys: a key file is read back, and only its owner may", "[trust]") {
  const Scratch folder;
  const std::string path = folder.path / "writer";
  const SecretKey key = must(SecretKey::generate());
  must(key.write(path));
  struct stat status;
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  CHECK(must(SecretKey::read(path)).public_key() == key.public_key());
  CHECK(must(SecretKey::generate()).public_key() != key.public_key());

  const auto again = must(SecretKey::generate()).write(path);
  REQUIRE(!again.ok());
  CHECK(again.error().what().find("exists already") != std::string::npos);
  CHECK(must(SecretKey::read(path)).public_key() == key.public_key());

  for (const mode_t mode : {0640, 0604, 0620, 0666}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    const auto read = SecretKey::read(path);
    REQUIRE(!read.ok());
    CHECK(read.error().what().find("other users may use the secret key") != std::string::npos);
  }
  REQUIRE(::chmod(path.c_str(), 0400) == 0);
  CHECK(SecretKey::read(path).ok());
  CHECK(!SecretKey::read(folder.path.string()).ok());
  CHECK(!SecretKey::read(path + "missing").ok());
}

TEST_CASE("keys: faults of a key file have a place, and show no secret", "[trust]") {
  const Scratch folder;
  const std::string path = folder.path / "key", seed(seed_1);
  struct Case {
    std::string text;
    std::string_view place;
  };
  const Case cases[] = {
      {"", ":1:1:"},
      {"# nothing\n", ":1:1:"},
      {"# a\n\nsecret " + seed + "\n", ":3:1:"},
      {"ed25519 " + seed + "\n", ":1:1:"},
      {"ed25519-secret " + seed.substr(1) + "\n", ":1:16:"},
      {"ed25519-secret " + seed + "0\n", ":1:16:"},
      {"#\ned25519-secret " + seed + " \n", ":2:16:"},
      {"ed25519-secret " + seed.substr(1) + "G\n", ":1:16:"},
      {"ed25519-secret " + seed + "\ned25519-secret " + seed + "\n", ":2:1:"},
      {std::string(5000, '#'), "more than 4096 bytes"},
  };
  for (const Case &each : cases) {
    write_text(path, each.text);
    const auto key = SecretKey::read(path);
    REQUIRE(!key.ok());
    const std::string message = key.error().what();
    INFO(message);
    CHECK(message.find(each.place) != std::string::npos);
    CHECK(message.find(seed.substr(1, 40)) == std::string::npos);
  }
  write_text(path, "\n# mine\ned25519-secret " + seed); // without a line's end
  CHECK(hex_text(must(SecretKey::read(path)).public_key()) == public_1);
}
