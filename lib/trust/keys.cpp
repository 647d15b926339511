// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <sodium.h>

namespace kiln {

namespace {

constexpr size_t seed_size = crypto_sign_SEEDBYTES;
constexpr std::string_view secret_word = "ed25519-secret ";
constexpr std::string_view secret_header =
    "# A secret key of Kiln. Whoever has it can sign entries that others run: keep it to yourself.\n";

const unsigned char *unsigned_bytes(const void *bytes) { return static_cast<const unsigned char *>(bytes); }

/// Error for a line that is no key. It never shows the line, which may contain most of a secret.
Error no_key(const std::string &path, size_t line, size_t column, std::string_view expected) {
  return input_error(
      fmt::format("{}:{}:{}: this is no secret key: expected {}", path, line, column, expected), {},
      "a secret key is the line \"ed25519-secret SEED\"; kiln cache keygen FILE writes one");
}

struct SeedLine {
  std::string_view hex;
  size_t line = 0;
};

/// Finds the line with the key's seed: the only line that is neither empty nor a comment.
Result<SeedLine> find_seed(const std::string &path, std::string_view text) {
  SeedLine found;
  for (size_t number = 1; !text.empty(); number++) {
    const size_t size = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    if (found.line != 0) return no_key(path, number, 1, "one key");
    if (!line.starts_with(secret_word)) return no_key(path, number, 1, "\"ed25519-secret\" and a blank");
    found = {line.substr(secret_word.size()), number};
  }
  if (found.line == 0) return no_key(path, 1, 1, "a line that is no comment");
  return found;
}

} // namespace

Result<KeyId> id_of(const PublicKey &key) {
  KILN_TRY(const Digest digest, sha256({reinterpret_cast<const char *>(key.data()), key.size()}));
  KeyId id;
  std::copy_n(digest.begin(), id.size(), id.begin());
  return id;
}

std::string public_key_line(const PublicKey &key, std::string_view name) {
  return fmt::format("ed25519 {}{}{}", hex_text(key), name.empty() ? "" : " name=", name);
}

bool is_signed(std::string_view message, const Signature &signature, const PublicKey &key) {
  return crypto_sign_verify_detached(unsigned_bytes(signature.data()), unsigned_bytes(message.data()),
                                     message.size(), unsigned_bytes(key.data())) == 0;
}

Result<SecretKey> SecretKey::from_seed(std::span<const std::byte> seed) {
  KILN_TRY(SecretBytes key, SecretBytes::make(crypto_sign_SECRETKEYBYTES));
  SecretKey made;
  crypto_sign_seed_keypair(reinterpret_cast<unsigned char *>(made.public_key_.data()), key.data(),
                           unsigned_bytes(seed.data()));
  made.key_ = std::move(key);
  KILN_TRY(made.id_, id_of(made.public_key_));
  return made;
}

Result<SecretKey> SecretKey::generate() {
  KILN_TRY(const SecretBytes seed, SecretBytes::make(seed_size));
  randombytes_buf(seed.data(), seed.size());
  return from_seed(seed.bytes());
}

Result<SecretKey> SecretKey::read(const std::string &path) {
  KILN_TRY(const SecretText file, read_secret_file(path));
  KILN_TRY(const SeedLine found, find_seed(path, file.text));
  KILN_TRY(const SecretBytes seed, SecretBytes::make(seed_size));
  if (!read_hex(found.hex, seed.bytes()))
    return no_key(path, found.line, secret_word.size() + 1, "64 digits 0-9 and a-f, and nothing after them");
  return from_seed(seed.bytes());
}

Result<void> SecretKey::write(const std::string &path) const {
  const size_t hex_size = 2 * seed_size;
  KILN_TRY(const SecretBytes text,
           SecretBytes::make(secret_header.size() + secret_word.size() + hex_size + 1));
  char *const begin = reinterpret_cast<char *>(text.data());
  char *at = std::copy(secret_header.begin(), secret_header.end(), begin);
  at = std::copy(secret_word.begin(), secret_word.end(), at);
  sodium_bin2hex(at, hex_size + 1, key_.data(), seed_size); // libsodium's key starts with the seed
  at[hex_size] = '\n';
  return write_new_file(path, {begin, text.size()}, 0600);
}

Signature SecretKey::sign(std::string_view message) const {
  Signature signature;
  crypto_sign_detached(reinterpret_cast<unsigned char *>(signature.data()), nullptr,
                       unsigned_bytes(message.data()), message.size(), key_.data());
  return signature;
}

} // namespace kiln
