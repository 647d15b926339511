// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes values as little-endian bytes and reads them back. The reader checks each bound. It fails if bytes
// are missing or left over. A failed reader returns zeros and empty strings, so the caller may check it once
// at the end.
#pragma once

#include <kiln/extension/language/fingerprint.h>

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln {

static_assert(std::endian::native == std::endian::little, "entries are written as they lie in memory");

/// Formats bytes as text: two lowercase hexadecimal digits per byte.
inline std::string hex_text(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (std::byte each : bytes) {
    text += digits[unsigned(each) >> 4];
    text += digits[unsigned(each) & 15];
  }
  return text;
}

class ByteWriter {
public:
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  ByteWriter &add(T value) {
    bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
  /// Writes a fingerprint, with its SHA-256 if it has one.
  ByteWriter &add(const Fingerprint &f) {
    add_short(f).add(f.is_strong());
    if (f.is_strong()) bytes_.append(reinterpret_cast<const char *>(f.strong.data()), f.strong.size());
    return *this;
  }
  ByteWriter &add_short(const Fingerprint &f) { return add(f.high).add(f.low); }
  ByteWriter &add(std::string_view text) {
    add(uint32_t(text.size()));
    bytes_.append(text);
    return *this;
  }
  ByteWriter &add(const std::string &text) { return add(std::string_view(text)); }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
  T number() {
    T value{};
    if (bytes_.size() < sizeof value) {
      fail();
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  /// Reads a boolean. Fails on values other than 0 and 1.
  bool boolean() { return number_up_to<uint8_t>(1) != 0; }
  /// Fails on larger values.
  template <class T> T number_up_to(T most) {
    T value = number<T>();
    if (value <= most) return value;
    fail();
    return {};
  }
  Fingerprint fingerprint() {
    Fingerprint f = short_fingerprint();
    if (boolean())
      for (std::byte &each : f.strong) each = std::byte(number<uint8_t>());
    return f;
  }
  Fingerprint short_fingerprint() {
    const uint64_t high = number<uint64_t>();
    return {high, number<uint64_t>()};
  }
  std::string_view text() {
    uint32_t size = number<uint32_t>();
    if (size > bytes_.size()) {
      fail();
      return {};
    }
    std::string_view read = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return read;
  }
  /// Reads the number of elements of a list. An element takes at least `least` bytes; fails if fewer bytes
  /// are left than the elements need.
  uint32_t count(size_t least) {
    uint32_t n = number<uint32_t>();
    if (n <= bytes_.size() / least) return n;
    fail();
    return 0;
  }
  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && bytes_.empty(); }
  void fail() {
    failed_ = true;
    bytes_ = {};
  }

private:
  std::string_view bytes_;
  bool failed_ = false;
};

} // namespace kiln
