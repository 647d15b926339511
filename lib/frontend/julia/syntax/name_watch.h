// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds names for which library files wait (triggers, docs/library.md) while a text is parsed.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::julia {

/// The triggers of a session: names, and beginnings of names ("rand*"). They do not change while a text is
/// parsed.
class WatchedNames {
public:
  /// Adds a trigger, whose text must outlive this object.
  void add(std::string_view trigger);
  bool empty() const { return names_.empty() && prefixes_.empty(); }
  /// Appends to `found` the triggers that match `name`, each once. The name of a macro also matches triggers
  /// without its @.
  void find(std::string_view name, std::vector<std::string_view> &found) const;

private:
  std::array<bool, 256> first_{};                                ///< first bytes of all triggers
  std::unordered_map<std::string_view, std::string_view> names_; ///< name -> trigger
  std::vector<std::string_view> prefixes_;                       ///< with their *
};

/// Collects the triggers that occur in one text, or in one piece of code.
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
