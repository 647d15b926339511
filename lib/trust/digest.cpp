// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "digest.h"

#include <openssl/evp.h>

namespace kiln {

namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

} // namespace

Result<Digest> sha256(std::string_view bytes) {
  Digest digest;
  if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char *>(digest.data()), nullptr,
                 EVP_sha256(), nullptr) != 1)
    return machine_error("libcrypto computes no SHA-256", "check OpenSSL's configuration (openssl.cnf)");
  return digest;
}

bool read_hex(std::string_view hex, std::span<std::byte> out) {
  if (hex.size() != 2 * out.size()) return false;
  for (size_t i = 0; i < out.size(); i++) {
    const int high = digit_value(hex[2 * i]), low = digit_value(hex[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out[i] = std::byte(high << 4 | low);
  }
  return true;
}

std::optional<Digest> read_digest(std::string_view hex) {
  Digest digest;
  return read_hex(hex, digest) ? std::optional(digest) : std::nullopt;
}

} // namespace kiln
