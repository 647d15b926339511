// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "environment.h"

#include <support/read_number.h>

#include <job/job.h>

#include <sstream>

namespace kiln {
namespace {

constexpr unsigned max_cpu_threads = 1024, max_worker_processes = 1024;
constexpr double max_assemble_limit = 1e6; ///< seconds
constexpr uint64_t min_worker_memory = uint64_t(512) << 20;

/// Reads an environment variable as a number; 0 if it is not set.
Result<uint64_t> number(const char *name) {
  const std::string text = environment_text(name);
  if (text.empty()) return uint64_t(0);
  if (const auto value = read_number<uint64_t>(text)) return *value;
  return usage_error(
      fmt::format("the environment variable {} takes a number from 0 on, not `{}`", name, text));
}

/// Returns the number in a variable that check_environment has already checked.
uint64_t checked_number(const char *name) {
  auto value = number(name);
  return value.ok() ? *value : 0;
}

/// Rejects NaN.
bool is_assemble_limit(double seconds) { return seconds >= 0 && seconds <= max_assemble_limit; }

Result<void> check_executor(const SessionOptions &options) {
  if (!options.executor) return {};
  if (options.cpu_arena)
    return usage_error(
        "SessionOptions::executor and SessionOptions::cpu_arena are both given: leave one of them out");
  try {
    if (options.executor->threads()) return {};
  } catch (...) {
    return usage_error(
        "SessionOptions::executor: threads() threw, and is asked how many bodies can run at once");
  }
  return usage_error("SessionOptions::executor: threads() is 0, and at least the calling thread runs bodies");
}

} // namespace

Result<void> check_options(const SessionOptions &options) {
  if (options.verbosity && (*options.verbosity < LogLevel::Error || *options.verbosity > LogLevel::Debug))
    return usage_error(fmt::format("SessionOptions::verbosity is {}, and takes {} (errors) to {} (debug)",
                                   int(*options.verbosity), int(LogLevel::Error), int(LogLevel::Debug)));
  using Mode = SessionOptions::CompileMode;
  if (options.compile && *options.compile != Mode::Auto && *options.compile != Mode::Never)
    return usage_error(
        fmt::format("SessionOptions::compile is {}, and takes Auto (1) or Never (2)", int(*options.compile)));
  if (options.cpu_threads > max_cpu_threads)
    return usage_error(
        fmt::format("SessionOptions::cpu_threads is {}, and at most {} are possible; 0 takes one a core",
                    options.cpu_threads, max_cpu_threads));
  if (options.worker_processes > max_worker_processes)
    return usage_error(fmt::format("SessionOptions::worker_processes is {}, and at most {} are possible",
                                   options.worker_processes, max_worker_processes));
  if (options.worker_memory && options.worker_memory < min_worker_memory)
    return usage_error(
        fmt::format("SessionOptions::worker_memory is {} bytes, and a worker process takes {} MiB of "
                    "addresses before it has work",
                    options.worker_memory, min_worker_memory >> 20));
  if (options.assemble_limit && !is_assemble_limit(*options.assemble_limit))
    return usage_error(fmt::format("SessionOptions::assemble_limit is {}, and takes 0 to {} seconds",
                                   *options.assemble_limit, max_assemble_limit));
  if (options.check_cache && !may_compile(options))
    return usage_error(
        "SessionOptions::check_cache compiles on each hit, and SessionOptions::compile forbids it: "
        "leave one of them out");
  KILN_CHECK(check_executor(options));
  if (options.store && options.cache_dir && !options.cache_dir->empty())
    return usage_error(
        "SessionOptions::store and SessionOptions::cache_dir are both given, and what outlives the session "
        "has one place: leave one of them out");
  if (options.store_expiry.count() < 0)
    return usage_error(fmt::format("SessionOptions::store_expiry is {} s: name 0 (no limit) or more",
                                   options.store_expiry.count()));
  KILN_CHECK(check_text("SessionOptions::dump_dir", options.dump_dir));
  KILN_CHECK(check_text("SessionOptions::worker_program", options.worker_program));
  KILN_CHECK(check_text("SessionOptions::trace_jobs", options.trace_jobs.value_or("")));
  KILN_CHECK(check_text("SessionOptions::cache_dir", options.cache_dir.value_or("")));
  KILN_CHECK(check_text("SessionOptions::shared_cache_dir", options.shared_cache_dir.value_or("")));
  for (const std::string &url : options.remote.value_or(std::vector<std::string>())) {
    KILN_CHECK(check_text("SessionOptions::remote", url));
    if (url.find("://") == std::string::npos)
      return usage_error(fmt::format("SessionOptions::remote holds `{}`, which is no URL: write "
                                     "http://HOST/PREFIX, redis://HOST or file:///FOLDER",
                                     url));
  }
  const PackageOptions packages = options.packages.value_or(PackageOptions());
  KILN_CHECK(check_text("PackageOptions::project", packages.project));
  for (const auto &[name, texts] : {std::pair("load_path", &packages.load_path),
                                    {"depots", &packages.depots},
                                    {"from_source", &packages.from_source}})
    for (const std::string &text : *texts)
      KILN_CHECK(check_text(fmt::format("PackageOptions::{}", name), text));
  return {};
}

static std::optional<SessionOptions::CpuTier> read_cpu_tier(std::string_view name) {
  using Tier = SessionOptions::CpuTier;
  if (name == "auto") return Tier::Auto;
  if (name == "optimized") return Tier::Optimized;
  if (name == "first") return Tier::First;
  return std::nullopt;
}

Result<void> check_environment() {
  for (const char *name : {"KILN_CPU_THREADS", "KILN_CPU_ORDER", "KILN_CACHE_SIZE"}) KILN_CHECK(number(name));
  if (const std::string mode = environment_text("KILN_COMPILE");
      !mode.empty() && mode != "auto" && mode != "never")
    return usage_error(
        fmt::format("the environment variable KILN_COMPILE takes auto or never, not `{}`", mode));
  if (const std::string tier = environment_text("KILN_CPU_TIER"); !tier.empty() && !read_cpu_tier(tier))
    return usage_error(
        fmt::format("the environment variable KILN_CPU_TIER takes auto, optimized or first, not `{}`", tier));
  if (const std::string limit = environment_text("KILN_ASSEMBLE_LIMIT");
      !limit.empty() && !is_assemble_limit(read_number<double>(limit).value_or(-1)))
    return usage_error(
        fmt::format("the environment variable KILN_ASSEMBLE_LIMIT takes 0 to {} seconds, not `{}`",
                    max_assemble_limit, limit));
  const std::string level = environment_text("KILN_LOG");
  if (!level.empty() && !read_log_level(level))
    return usage_error(fmt::format(
        "the environment variable KILN_LOG takes error, warning, info or debug, not `{}`", level));
  return {};
}

LogLevel log_level(const SessionOptions &options) {
  if (options.verbosity) return *options.verbosity;
  return read_log_level(environment_text("KILN_LOG")).value_or(LogLevel::Warning);
}

LogFunction log_sink(const SessionOptions &options) {
  if (options.log) return options.log;
  return environment_text("KILN_LOG").empty() ? LogFunction() : LogFunction(log_to_standard_error);
}

ExecutorOptions executor_options(const SessionOptions &options) {
  const uint64_t threads = options.cpu_threads ? options.cpu_threads : checked_number("KILN_CPU_THREADS");
  return {.threads = unsigned(std::min<uint64_t>(threads, max_cpu_threads)),
          .order = options.cpu_order ? options.cpu_order : checked_number("KILN_CPU_ORDER"),
          .arena = options.cpu_arena,
          .executor = options.executor};
}

std::string dump_folder(const SessionOptions &options) {
  return options.dump_dir.empty() ? environment_text("KILN_DUMP_DIR") : options.dump_dir;
}

std::string trace_file(const SessionOptions &options) {
  return options.trace_jobs ? *options.trace_jobs : environment_text("KILN_TRACE_JOBS");
}

std::string cache_folder(const SessionOptions &options) {
  if (options.cache_dir) return *options.cache_dir;
  if (auto named = environment_variable("KILN_CACHE_DIR")) return *named; // empty: none
  if (std::string cache = environment_text("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/kiln";
  const std::string home = environment_text("HOME");
  return home.starts_with('/') ? home + "/.cache/kiln" : "";
}

std::string shared_cache_folder(const SessionOptions &options) {
  return options.shared_cache_dir ? *options.shared_cache_dir : environment_text("KILN_SHARED_CACHE_DIR");
}

bool may_compile(const SessionOptions &options) {
  using Mode = SessionOptions::CompileMode;
  return options.compile ? *options.compile != Mode::Never : environment_text("KILN_COMPILE") != "never";
}

SessionOptions::CpuTier cpu_tier(const SessionOptions &options) {
  if (options.cpu_tier) return *options.cpu_tier;
  return read_cpu_tier(environment_text("KILN_CPU_TIER")).value_or(SessionOptions::CpuTier::Auto);
}

std::chrono::milliseconds assemble_limit(const SessionOptions &options) {
  const double seconds = options.assemble_limit.value_or(
      read_number<double>(environment_text("KILN_ASSEMBLE_LIMIT")).value_or(0));
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

std::vector<std::string> remote_stores(const SessionOptions &options) {
  if (options.remote) return *options.remote;
  std::vector<std::string> urls;
  std::istringstream words(environment_text("KILN_REMOTE_CACHE"));
  for (std::string url; words >> url;) urls.push_back(std::move(url));
  return urls;
}

uint64_t cache_budget(const SessionOptions &options) {
  if (options.cache_budget) return options.cache_budget;
  const uint64_t mebibytes = checked_number("KILN_CACHE_SIZE");
  return mebibytes ? std::min(mebibytes, uint64_t(1) << 40) << 20 : FolderOptions::default_budget;
}

} // namespace kiln
