// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and names for the tests of signed entries.
#pragma once

#include "must.h"
#include "scratch.h"

#include <support/support.h>

#include <trust/digest.h>
#include <trust/trust.h>

#include <sys/stat.h>

namespace kiln::test {

// RFC 8032, section 7.1, tests 1 and 2.
inline constexpr std::string_view seed_1 = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
inline constexpr std::string_view public_1 =
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
inline constexpr std::string_view seed_2 = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
inline constexpr std::string_view public_2 =
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

inline constexpr UtcSeconds december = 1796083200; ///< 2026-12-01T00:00:00Z, by date(1)
inline constexpr UtcSeconds hour = 3600, day = 86400;

inline void write_text(const std::string &path, std::string_view text, mode_t mode = 0600) {
  must(write_file_atomically(path, text));
  REQUIRE(::chmod(path.c_str(), mode) == 0);
}
inline SecretKey read_key(const Scratch &folder, std::string_view seed) {
  const std::string path = folder.path / "key";
  write_text(path, "ed25519-secret " + std::string(seed) + "\n");
  return must(SecretKey::read(path));
}
inline TrustPolicy trusting(std::string text) {
  return {.list = must(TrustList::parse("list", std::move(text)))};
}
inline Digest name_number(unsigned n) {
  Digest name{};
  name[0] = std::byte(n);
  return name;
}
/// The reason of a refusal; fails where the entry opens.
inline Refusal refused(const Result<std::string_view> &opened) {
  REQUIRE(!opened.ok());
  INFO(opened.error().what());
  const auto refusal = refusal_of(opened.error());
  REQUIRE(refusal);
  CHECK(!opened.error().diagnostics().front().hint.empty());
  return *refusal;
}

} // namespace kiln::test
