// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trust_fixture.h"

using namespace kiln;
using namespace kiln::test;

namespace {

/// A store's folder with four entries: signed by key 1, unsigned, signed by key 2, damaged; and another file.
struct Store {
  Scratch scratch;
  std::string folder = scratch.path / "store";
  SecretKey first = read_key(scratch, seed_1), second = read_key(scratch, seed_2);
  std::string list = scratch.path / "list", key_file = scratch.path / "first";

  Store() {
    const UtcSeconds now = utc_now();
    write_text(list, "ed25519 " + std::string(public_1) + "\n");
    write_text(key_file, "ed25519-secret " + std::string(seed_1) + "\n");
    std::filesystem::create_directories(folder + "/02"); // as file:// stores lay them out
    write_text(path(1), must(seal_envelope(name_number(1), "a", "one", &first, now)));
    write_text(folder + "/02/" + hex_text(name_number(2)),
               must(seal_envelope(name_number(2), "b", "two", nullptr, now)));
    write_text(path(3), must(seal_envelope(name_number(3), "a", "three", &second, now)));
    write_text(path(4), must(seal_envelope(name_number(4), "a", "four", &first, now)) + "x");
    write_text(folder + "/README", "text");
  }
  std::string path(unsigned n) const { return folder + "/" + hex_text(name_number(n)); }
  VerifyReport verify(std::vector<std::string> paths) const {
    return must(verify_entries({.trust_keys_file = list, .paths = std::move(paths)}));
  }
};

} // namespace

TEST_CASE("commands: keygen writes two files, or none", "[trust]") {
  const Scratch folder;
  const std::string file = folder.path / "writer";
  const KeygenReport report = must(make_key_files({.file = file, .name = "ci"}));
  CHECK(must(TrustList::read(file + ".pub")).find(report.id)->name == "ci");
  CHECK(must(SecretKey::read(file)).id() == report.id);
  CHECK(report.text().find(file + ".pub") != std::string::npos);
  CHECK(!make_key_files({.file = file}).ok());

  std::filesystem::remove(file + ".pub");
  CHECK(!make_key_files({.file = file}).ok()); // the secret key is still there
  CHECK(!std::filesystem::exists(file + ".pub"));
  CHECK(must(SecretKey::read(file)).id() == report.id);
  CHECK(!make_key_files({.file = folder.path / "missing" / "writer"}).ok());
  for (const char *name : {"a b", "a from=2020-01-01", "x\ned25519 y", "a#b", "ä"}) {
    INFO(name);
    CHECK(!make_key_files({.file = folder.path / "named", .name = name}).ok());
    CHECK(!std::filesystem::exists(folder.path / "named"));
  }
}

TEST_CASE("commands: verify counts what a reader would accept", "[trust]") {
  const Store store;
  const VerifyReport report = store.verify({store.folder});
  CHECK(!report.ok());
  CHECK(report.accepted == 1);
  CHECK(report.other_files == 1);
  CHECK(report.faults.refused[Refusal::Unsigned] == 1);
  CHECK(report.faults.refused[Refusal::UnknownKey] == 1);
  CHECK(report.faults.refused[Refusal::Damaged] == 1);
  CHECK(report.faults.total() == 3);
  const std::string text = report.text();
  INFO(text);
  CHECK(text.find("1 accepted, 3 refused (damaged: 1, unsigned: 1, unknown key: 1); 1 other files\n") !=
        std::string::npos);
  CHECK(text.find(store.path(3) + ": ") != std::string::npos);

  CHECK(store.verify({store.path(1)}).ok());
  // A copy under another entry's name is refused, one under a name of its own is not.
  std::filesystem::copy_file(store.path(1), store.path(9));
  CHECK(store.verify({store.path(9)}).faults.refused[Refusal::WrongName] == 1);
  std::filesystem::copy_file(store.path(1), store.folder + "/exported");
  CHECK(store.verify({store.folder + "/exported"}).ok());
  CHECK(!verify_entries({.trust_keys_file = store.list, .paths = {store.folder + "/missing"}}).ok());
  CHECK(!verify_entries({.trust_keys_file = store.list + "x", .paths = {store.folder}}).ok());

  if (::geteuid() != 0) {
    REQUIRE(::chmod(store.path(1).c_str(), 0) == 0);
    CHECK(store.verify({store.path(1)}).faults.unreadable == 1);
  }
}

TEST_CASE("commands: sign takes unsigned entries and those of trusted keys", "[trust]") {
  const Store store;
  SignOptions options{.sign_key_file = store.key_file, .paths = {store.folder}};
  const std::string foreign = must(read_file(store.path(3))), damaged = must(read_file(store.path(4)));
  SignReport report = must(sign_entries(options));
  CHECK(!report.ok());
  CHECK(report.newly_signed == 1);
  CHECK(report.unchanged == 1);
  CHECK(report.renewed == 0);
  CHECK(report.faults.refused[Refusal::UnknownKey] == 1);
  CHECK(report.faults.refused[Refusal::Damaged] == 1);
  CHECK(must(read_file(store.path(3))) == foreign);
  CHECK(must(read_file(store.path(4))) == damaged);
  CHECK(store.verify({store.folder + "/02"}).accepted == 1);

  options.trust_keys_file = std::string(store.scratch.path / "second");
  write_text(options.trust_keys_file, "ed25519 " + std::string(public_2) + "\n");
  report = must(sign_entries(options));
  CHECK(report.renewed == 1);
  CHECK(report.unchanged == 2);
  CHECK(report.text().find("0 signed, 1 signed again, 2 unchanged, 1 refused (damaged: 1)") !=
        std::string::npos);
  CHECK(store.verify({store.path(3)}).ok());

  std::filesystem::remove(store.path(4));
  CHECK(must(sign_entries(options)).ok());
  CHECK(store.verify({store.folder}).accepted == 3);
}

TEST_CASE("commands: sign follows no links in a folder", "[trust]") {
  const Store store;
  const std::string outside = store.scratch.path / "outside";
  write_text(outside, must(seal_envelope(name_number(8), "a", "eight", nullptr, utc_now())));
  const std::string before = must(read_file(outside));
  std::filesystem::create_symlink(outside, store.path(8));
  const SignReport report = must(sign_entries({.sign_key_file = store.key_file, .paths = {store.folder}}));
  CHECK(report.other_files == 2);
  CHECK(must(read_file(outside)) == before);
}
