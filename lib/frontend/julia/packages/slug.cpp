// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slug.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln::julia {
namespace {

/// CRC-32C with Castagnoli's polynomial, bit by bit. A slug hashes 36 bytes, for which a table is not worth
/// it.
uint32_t crc32c(std::span<const uint8_t> bytes, uint32_t crc) {
  crc = ~crc;
  for (uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0u);
  }
  return ~crc;
}

std::optional<std::vector<uint8_t>> bytes_of(std::string_view digits) {
  auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    c = char(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::vector<uint8_t> bytes;
  if (digits.size() % 2) return std::nullopt;
  for (size_t i = 0; i < digits.size(); i += 2) {
    const int high = digit(digits[i]), low = digit(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(uint8_t(high << 4 | low));
  }
  return bytes;
}

} // namespace

std::optional<std::string> read_uuid(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  std::string digits, lower;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash != (text[i] == '-')) return std::nullopt;
    if (!is_dash) digits += text[i];
    lower += text[i] >= 'A' && text[i] <= 'F' ? char(text[i] | 0x20) : text[i];
  }
  return bytes_of(digits) ? std::optional(lower) : std::nullopt;
}

std::optional<std::string> version_slug(std::string_view uuid, std::string_view tree_hash, int length) {
  if (!read_uuid(uuid)) return std::nullopt;
  std::string digits(uuid);
  std::erase(digits, '-');
  auto number = bytes_of(digits), tree = bytes_of(tree_hash);
  if (!number || !tree || tree->size() != 20) return std::nullopt;
  std::ranges::reverse(*number); // a UInt128 in memory begins with its lowest byte
  uint32_t crc = crc32c(*tree, crc32c(*number, 0));
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string slug;
  for (int i = 0; i < length; ++i, crc /= uint32_t(letters.size())) slug += letters[crc % letters.size()];
  return slug;
}

} // namespace kiln::julia
