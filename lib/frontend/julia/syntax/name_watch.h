// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that a parse looks out for: the triggers of library files that wait (docs/library.md).
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::julia {

/// The triggers of a session: names, and beginnings of names ("rand*"). Immutable while texts are parsed.
class WatchedNames {
public:
  /// Watches for `trigger`, whose text outlives this.
  void add(std::string_view trigger);
  bool empty() const { return names_.empty() && beginnings_.empty(); }
  /// Appends the triggers that `name` meets and `found` lacks. A macro's name meets those of the name behind
  /// its @.
  void find(std::string_view name, std::vector<std::string_view> &found) const;

private:
  std::array<bool, 256> first_{};                                ///< the bytes that a trigger begins with
  std::unordered_map<std::string_view, std::string_view> names_; ///< name -> trigger
  std::vector<std::string_view> beginnings_;                     ///< with their *
};

/// The triggers that one text or one piece of code has met.
class NameWatch {
public:
  explicit NameWatch(const WatchedNames &watched) : watched_(watched) {}
  void see(std::string_view name) { watched_.find(name, found_); }
  std::span<const std::string_view> found() const { return found_; }

private:
  const WatchedNames &watched_;
  std::vector<std::string_view> found_;
};

} // namespace kiln::julia
