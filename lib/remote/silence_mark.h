// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace kiln {

/// A file beside the agent's socket whose time says since when sessions find the agent silent. It counts for
/// a minute. A session that gets a message removes it. One that finds a mark older than any answer may take
/// asks the agent all the same, but does not wait.
class SilenceMark {
public:
  explicit SilenceMark(const std::string &socket_path) : path_(socket_path + ".silent") {}
  /// The age of the mark; no value: there is none that counts.
  std::optional<std::chrono::nanoseconds> age() const;
  /// Leaves a mark that counts. Call it where the socket's folder was checked.
  void set() const;
  void remove() const;

private:
  const std::string path_;
};

} // namespace kiln
