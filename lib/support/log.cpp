// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "log.h"

#include "callback.h"

#include <cerrno>
#include <unistd.h>

namespace kiln {

namespace {

std::string_view prefix(LogLevel level) {
  switch (level) {
  case LogLevel::Error: return "error: ";
  case LogLevel::Warning: return "warning: ";
  case LogLevel::Info: return "info: ";
  case LogLevel::Debug: return "debug: ";
  }
  return "";
}

} // namespace

void log_to_standard_error(LogLevel level, std::string_view message) {
  const std::string line = fmt::format("kiln: {}{}\n", prefix(level), message);
  for (std::string_view text = line; !text.empty();) {
    ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return; // standard error is closed: the message is lost
    text.remove_prefix(size_t(written));
  }
}

std::optional<LogLevel> read_log_level(std::string_view name) {
  if (name == "error") return LogLevel::Error;
  if (name == "warning") return LogLevel::Warning;
  if (name == "info") return LogLevel::Info;
  if (name == "debug") return LogLevel::Debug;
  return std::nullopt;
}

Log::Log(LogLevel level, LogFunction sink) : level_(level), sink_(std::move(sink)) {}

void Log::write(LogLevel level, std::string_view message) const {
  if (!enabled(level)) return;
  CallbackScope scope(this);
  try {
    sink_(level, message);
  } catch (...) {
    // An exception of the embedder's LogFunction is ignored, as kiln/log.h states.
  }
}

} // namespace kiln
