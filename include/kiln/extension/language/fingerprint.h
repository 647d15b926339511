// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Content digests. XXH3-128 (0.4 µs for 10 KB; docs/dependencies.md): collisions by accident are out of
// reach, collisions by intent are not defended against, so a cache folder that others can write is refused.
#pragma once

#include <kiln/export.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln {

struct KILN_API Fingerprint {
  uint64_t high = 0, low = 0;
  bool operator==(const Fingerprint &) const = default;
  auto operator<=>(const Fingerprint &) const = default;
  explicit operator bool() const { return high != 0 || low != 0; }
  std::string hex() const; ///< 32 lower-case digits
};

/// Streams values into a digest. Every variable-length value is preceded by its length, so that
/// ("ab","c") and ("a","bc") differ.
class KILN_API Fingerprinter {
public:
  Fingerprinter();
  ~Fingerprinter();
  Fingerprinter(const Fingerprinter &) = delete;
  Fingerprinter &operator=(const Fingerprinter &) = delete;

  Fingerprinter &bytes(const void *data, size_t size); ///< raw, without a length
  Fingerprinter &add(std::string_view text);
  Fingerprinter &add(const char *text) { return add(std::string_view(text)); }
  Fingerprinter &add(const std::string &text) { return add(std::string_view(text)); }
  Fingerprinter &add(Fingerprint f) { return bytes(&f, sizeof f); }
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

KILN_API Fingerprint fingerprint_of(std::string_view bytes);

} // namespace kiln

template <> struct std::hash<kiln::Fingerprint> {
  size_t operator()(const kiln::Fingerprint &f) const noexcept { return f.low; }
};
