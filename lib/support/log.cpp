// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "log.h"

#include <cerrno>
#include <cstdlib>
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

void write_to_standard_error(std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return; // nobody is left to be told
    text.remove_prefix(size_t(written));
  }
}

} // namespace

Log::Log(LogLevel level, Sink sink) : level_(level), sink_(std::move(sink)) {}

LogLevel Log::level_from_environment() {
  const char *value = std::getenv("KILN_LOG");
  std::string_view text = value ? value : "";
  if (text == "error") return LogLevel::Error;
  if (text == "info") return LogLevel::Info;
  if (text == "debug") return LogLevel::Debug;
  return LogLevel::Warning;
}

void Log::write(LogLevel level, std::string_view message) {
  if (!enabled(level)) return;
  std::lock_guard lock(mutex_);
  if (sink_) return sink_(level, message);
  write_to_standard_error(fmt::format("kiln: {}{}\n", prefix(level), message));
}

} // namespace kiln
