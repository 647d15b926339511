// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of a session: messages for people. A Log passes them to its sink, a LogFunction (kiln/log.h).
// Thread-safe.
#pragma once

#include <fmt/core.h>
#include <kiln/export.h>
#include <kiln/log.h>

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

class Log {
public:
  explicit Log(LogLevel level = LogLevel::Warning, LogFunction sink = {}); ///< no sink: no messages
  bool enabled(LogLevel level) const { return sink_ && level <= level_; }
  KILN_PROGRAMS_API void write(LogLevel level, std::string_view message) const;

  template <class... Args> void warn(fmt::format_string<Args...> f, Args &&...args) const {
    if (enabled(LogLevel::Warning)) write(LogLevel::Warning, fmt::format(f, std::forward<Args>(args)...));
  }
  template <class... Args> void info(fmt::format_string<Args...> f, Args &&...args) const {
    if (enabled(LogLevel::Info)) write(LogLevel::Info, fmt::format(f, std::forward<Args>(args)...));
  }
  template <class... Args> void debug(fmt::format_string<Args...> f, Args &&...args) const {
    if (enabled(LogLevel::Debug)) write(LogLevel::Debug, fmt::format(f, std::forward<Args>(args)...));
  }

private:
  const LogLevel level_;
  const LogFunction sink_;
};

/// Parses "error", "warning", "info" or "debug". No value for other texts.
std::optional<LogLevel> read_log_level(std::string_view name);

/// A LogFunction that writes "kiln: LEVEL: ..." to standard error in one write. The program kiln uses it,
/// and sessions if KILN_LOG is set.
void log_to_standard_error(LogLevel level, std::string_view message);

} // namespace kiln
