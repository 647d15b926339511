// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command-line options of the cache: its folder, its remote stores, and --compile, which can forbid
// compiling.
#include "command.h"
#include "options.h"

namespace kiln::tool {

void CommonOptions::add_cache_to(CLI::App &command) {
  command.add_flag("--no-cache", no_cache, "neither read nor write the object cache");
  command.add_flag("--check-cache", check_cache, "recompile on every hit and compare");
  command
      .add_option("--remote", remotes, "store that machines share; may be repeated (also KILN_REMOTE_CACHE)")
      ->type_name("URL")
      ->allow_extra_args(false);
  allow_words(
      *command.add_option("--compile", compile, "never: code that no cache has is an error (default auto)"),
      {"auto", "never"});
  add_folder_to(command);
}

void CommonOptions::add_folder_to(CLI::App &command) {
  command.add_option("--cache", cache_dir, "folder of the object cache (also KILN_CACHE_DIR)")
      ->type_name("DIR");
  command.add_flag("-v", verbose, "say more; -vv says most");
}

Result<void> CommonOptions::check_cache_options() const {
  if (no_cache && (check_cache || !cache_dir.empty()))
    return usage_error(
        fmt::format("--no-cache and --{} exclude each other", check_cache ? "check-cache" : "cache"));
  if (no_cache && !remotes.empty()) return usage_error("--no-cache and --remote exclude each other");
  return {};
}

void CommonOptions::set_cache(SessionOptions &options) const {
  if (no_cache)
    options.cache_dir = options.shared_cache_dir = "", options.remote.emplace();
  else if (!cache_dir.empty())
    options.cache_dir = cache_dir;
  if (!remotes.empty()) options.remote = remotes;
  using Mode = SessionOptions::CompileMode;
  if (!compile.empty()) options.compile = compile == "never" ? Mode::Never : Mode::Auto;
  options.check_cache = check_cache;
}

} // namespace kiln::tool
