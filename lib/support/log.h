// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages for people on standard error. A Log belongs to a session; its level comes from -v or KILN_LOG
// (error, warn, info, debug). Thread-safe: one message is one write.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace kiln {

enum class LogLevel : uint8_t { Error, Warning, Info, Debug };

class Log {
public:
  using Sink = std::function<void(LogLevel, std::string_view)>;
  explicit Log(LogLevel level = level_from_environment(), Sink sink = {}); ///< no sink: standard error
  static LogLevel level_from_environment();
  bool enabled(LogLevel level) const { return level <= level_; }
  void set_level(LogLevel level) { level_ = level; }
  void write(LogLevel level, std::string_view message);

  template <class... Args> void warn(fmt::format_string<Args...> f, Args &&...args) {
    if (enabled(LogLevel::Warning)) write(LogLevel::Warning, fmt::format(f, std::forward<Args>(args)...));
  }
  template <class... Args> void info(fmt::format_string<Args...> f, Args &&...args) {
    if (enabled(LogLevel::Info)) write(LogLevel::Info, fmt::format(f, std::forward<Args>(args)...));
  }
  template <class... Args> void debug(fmt::format_string<Args...> f, Args &&...args) {
    if (enabled(LogLevel::Debug)) write(LogLevel::Debug, fmt::format(f, std::forward<Args>(args)...));
  }

private:
  LogLevel level_;
  Sink sink_;
  std::mutex mutex_;
};

} // namespace kiln
