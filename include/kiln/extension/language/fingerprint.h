// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Content digests: XXH3-128 (0.4 µs for 10 KB; docs/dependencies.md). Accidental collisions are out of reach.
// Deliberate ones are possible, so Kiln refuses a cache folder that others can write. In a process that uses
// remote stores, each digest also has a SHA-256, which is the entry's key in remote stores.
#pragma once

#include <kiln/export.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln {

struct KILN_API Fingerprint {
  uint64_t high = 0, low = 0;
  std::array<std::byte, 32> strong = {}; ///< SHA-256 of the same content; zeros: not computed
  bool is_strong() const { return strong != std::array<std::byte, 32>(); }
  /// Comparisons use the 128 bits only, not `strong`.
  bool operator==(const Fingerprint &other) const { return high == other.high && low == other.low; }
  auto operator<=>(const Fingerprint &other) const {
    return high != other.high ? high <=> other.high : low <=> other.low;
  }
  explicit operator bool() const { return high != 0 || low != 0; }
  std::string hex() const; ///< 32 lower-case digits
};

/// Streams values into a digest. Every variable-length value is preceded by its length, so that
/// ("ab","c") and ("a","bc") differ.
class KILN_API Fingerprinter {
public:
  enum class Use : uint8_t {
    Key,      ///< for cache keys: with SHA-256 if the process uses remote stores
    Checksum, ///< XXH3 alone
  };
  explicit Fingerprinter(Use use = Use::Key);
  ~Fingerprinter();
  Fingerprinter(const Fingerprinter &) = delete;
  Fingerprinter &operator=(const Fingerprinter &) = delete;

  Fingerprinter &bytes(const void *data, size_t size); ///< raw, without a length
  Fingerprinter &add(std::string_view text);
  Fingerprinter &add(const char *text) { return add(std::string_view(text)); }
  Fingerprinter &add(const std::string &text) { return add(std::string_view(text)); }
  /// Adds a digest. If it has no SHA-256, the result has none either.
  Fingerprinter &add(const Fingerprint &f);
  /// Adds `text` to the SHA-256 only, for content whose XXH3 digest was added already.
  Fingerprinter &add_strong(std::string_view text);
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  Fingerprinter &add(T value) {
    return bytes(&value, sizeof value);
  }
  Fingerprint finish() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3 alone.
KILN_API Fingerprint fingerprint_of(std::string_view bytes);

} // namespace kiln

template <> struct std::hash<kiln::Fingerprint> {
  size_t operator()(const kiln::Fingerprint &f) const noexcept { return f.low; }
};
