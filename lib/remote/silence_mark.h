// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace kiln {

/// A file beside the agent's socket. Its time is the start of the agent's silence, as seen by sessions. It is
/// valid for a minute. A session that gets a message removes it. A session that finds a mark older than any
/// answer may take still sends requests, but does not wait for answers.
class SilenceMark {
public:
  explicit SilenceMark(const std::string &socket_path) : path_(socket_path + ".silent") {}
  /// Age of a valid mark. No value: there is none.
  std::optional<std::chrono::nanoseconds> age() const;
  /// Sets a valid mark. The caller must have checked the socket's folder.
  void set() const;
  void remove() const;

private:
  const std::string path_;
};

} // namespace kiln
