// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interned names. A Symbol is one pointer; equal names of one table are equal pointers. Sort symbols by text,
// not by address, if the order is visible in results.
#pragma once

#include <kiln/export.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kiln {

class Symbol {
public:
  Symbol() = default;
  std::string_view text() const { return text_ ? std::string_view(*text_) : std::string_view(); }
  const std::string &str() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }
  explicit operator bool() const { return text_ != nullptr; }
  bool operator==(const Symbol &) const = default;
  const void *id() const { return text_; }

private:
  friend class SymbolTable;
  explicit Symbol(const std::string *text) : text_(text) {}
  const std::string *text_ = nullptr;
};

/// Owns the texts of symbols; lives as long as the session. Thread-safe.
class KILN_API SymbolTable {
public:
  Symbol intern(std::string_view text);

private:
  std::mutex mutex_;
  std::unordered_map<std::string_view, std::unique_ptr<const std::string>> texts_;
};

} // namespace kiln

template <> struct std::hash<kiln::Symbol> {
  size_t operator()(kiln::Symbol s) const noexcept { return std::hash<const void *>()(s.id()); }
};
