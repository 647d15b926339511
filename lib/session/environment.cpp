// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "environment.h"

#include <job/job.h>

#include <charconv>
#include <cstdlib>

namespace kiln {
namespace {

constexpr unsigned max_cpu_threads = 1024;

/// Empty if it is not set.
std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// 0 if it is not set.
Result<uint64_t> number(const char *name) {
  const std::string text = variable(name);
  if (text.empty()) return uint64_t(0);
  uint64_t value = 0;
  const char *end = text.data() + text.size();
  if (auto [stop, error] = std::from_chars(text.data(), end, value); error != std::errc() || stop != end)
    return usage_error(
        fmt::format("the environment variable {} takes a number from 0 on, not `{}`", name, text));
  return value;
}

/// Of a variable that check_environment has seen.
uint64_t checked_number(const char *name) {
  auto value = number(name);
  return value.ok() ? *value : 0;
}

} // namespace

Result<void> check_options(const SessionOptions &options) {
  if (options.verbosity < -1 || options.verbosity > int(LogLevel::Debug))
    return usage_error(fmt::format(
        "SessionOptions::verbosity is {}, and takes 0 (errors) to {} (debug), or -1 for what KILN_LOG says",
        options.verbosity, int(LogLevel::Debug)));
  if (options.cpu_threads > max_cpu_threads)
    return usage_error(
        fmt::format("SessionOptions::cpu_threads is {}, and at most {} are possible; 0 takes one a core",
                    options.cpu_threads, max_cpu_threads));
  KILN_CHECK(check_text("SessionOptions::dump_dir", options.dump_dir));
  KILN_CHECK(check_text("SessionOptions::trace_jobs", options.trace_jobs.value_or("")));
  KILN_CHECK(check_text("SessionOptions::cache_dir", options.cache_dir.value_or("")));
  KILN_CHECK(check_text("SessionOptions::shared_cache_dir", options.shared_cache_dir.value_or("")));
  return {};
}

Result<void> check_environment() {
  for (const char *name : {"KILN_CPU_THREADS", "KILN_CPU_ORDER", "KILN_CACHE_SIZE"}) KILN_CHECK(number(name));
  return {};
}

LogLevel log_level(const SessionOptions &options) {
  return options.verbosity < 0 ? Log::level_from_environment() : LogLevel(options.verbosity);
}

ExecutorOptions executor_options(const SessionOptions &options) {
  const uint64_t threads = options.cpu_threads ? options.cpu_threads : checked_number("KILN_CPU_THREADS");
  return {.threads = unsigned(std::min<uint64_t>(threads, max_cpu_threads)),
          .order = options.cpu_order ? options.cpu_order : checked_number("KILN_CPU_ORDER"),
          .arena = options.cpu_arena};
}

std::string dump_folder(const SessionOptions &options) {
  return options.dump_dir.empty() ? variable("KILN_DUMP_DIR") : options.dump_dir;
}

std::string trace_file(const SessionOptions &options) {
  return options.trace_jobs ? *options.trace_jobs : variable("KILN_TRACE_JOBS");
}

std::string cache_folder(const SessionOptions &options) {
  if (options.cache_dir) return *options.cache_dir;
  if (const char *named = std::getenv("KILN_CACHE_DIR")) return named; // empty: none
  if (std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/kiln";
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.cache/kiln" : "";
}

std::string shared_cache_folder(const SessionOptions &options) {
  return options.shared_cache_dir ? *options.shared_cache_dir : variable("KILN_SHARED_CACHE_DIR");
}

uint64_t cache_budget(const SessionOptions &options) {
  if (options.cache_budget) return options.cache_budget;
  const uint64_t mebibytes = checked_number("KILN_CACHE_SIZE");
  return mebibytes ? std::min(mebibytes, uint64_t(1) << 40) << 20 : FolderOptions::default_budget;
}

} // namespace kiln
