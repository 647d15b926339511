// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace kiln {

/// A file beside the agent's socket, by which sessions tell each other that the agent is silent. Its
/// modification time is the start of the silence. It is valid for a minute. A session that gets a message
/// removes it. A session that finds a mark older than any answer may take still sends requests, but does not
/// wait for answers.
class SilenceMark {
public:
  explicit SilenceMark(const std::string &socket_path) : path_(socket_path + ".silent") {}
  /// Age of the mark. No value: there is no mark, or it is no longer valid.
  std::optional<std::chrono::nanoseconds> age() const;
  /// Makes the mark, unless there is a valid one. The caller must have checked the socket's folder.
  void set() const;
  void remove() const;

private:
  const std::string path_;
};

} // namespace kiln
