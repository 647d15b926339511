// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256: examples of FIPS 180-4, and values of Python's hashlib.
#include <support/strong_digest.h>

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <numeric>
#include <string>

namespace kiln::test {

namespace {

std::string digest(MakeStrongHash make, std::string_view text, size_t piece) {
  const auto hash = make();
  for (size_t at = 0; at < text.size(); at += piece)
    hash->update(text.data() + at, std::min(piece, text.size() - at));
  std::string hex;
  for (std::byte each : hash->finish()) hex += fmt::format("{:02x}", unsigned(each));
  return hex;
}

} // namespace

TEST_CASE("SHA-256 by the CPU's instructions and without them") {
  std::string count(119, '\0');
  std::iota(count.begin(), count.end(), char(0));
  const std::pair<std::string, const char *> known[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {count.substr(0, 55), "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"},
      {count.substr(0, 64), "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"},
      {count, "da18797ed7c3a777f0847f429724a2d8cd5138e6ed2895c3fa1a6d39d18f7ec6"},
  };
  for (const MakeStrongHash make : {make_sha256, make_portable_sha256})
    for (const auto &[text, expected] : known)
      for (size_t piece : {1, 7, 63, 64, 65, 1000}) CHECK(digest(make, text, piece) == expected);
}

TEST_CASE("a digest that is taken leaves its hash as it is") {
  const auto hash = make_sha256();
  hash->update("ab", 2);
  (void)hash->finish();
  hash->update("c", 1);
  CHECK(hash->finish()[0] == std::byte(0xba));
}

} // namespace kiln::test
