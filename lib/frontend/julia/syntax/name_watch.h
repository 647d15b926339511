// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that the parser watches for: triggers of postponed library files (docs/library.md).
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::julia {

/// Triggers of a session: names, and prefixes of names ("rand*"). Immutable during parsing.
class WatchedNames {
public:
  /// Adds `trigger`, whose text must outlive this object.
  void add(std::string_view trigger);
  bool empty() const { return names_.empty() && prefixes_.empty(); }
  /// Appends the triggers that match `name` and are not yet in `found`. A macro's name also matches triggers
  /// for the name after its @.
  void find(std::string_view name, std::vector<std::string_view> &found) const;

private:
  std::array<bool, 256> first_{};                                ///< first bytes of all triggers
  std::unordered_map<std::string_view, std::string_view> names_; ///< name -> trigger
  std::vector<std::string_view> prefixes_;                       ///< with their *
};

/// Triggers found in one text or one piece of code.
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
