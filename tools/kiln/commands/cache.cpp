// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache: lists, checks, explains and moves the entries of the cache folder.
#include "../command.h"
#include "../json_object.h"
#include "../output.h"
#include "../with_session.h"
#include "cache_entries.h"

#include <support/count.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace kiln::tool {

namespace {

std::string megabytes(uint64_t bytes) { return fmt::format("{:.1f} MiB", double(bytes) / (1 << 20)); }

struct StatOptions {
  CommonOptions common;
  bool json = false, zero = false;
};

/// Reason why products were compiled instead of found in the cache: `name` for JSON, `text` for people, and
/// the number of such compiles.
struct Cause {
  std::string_view name, text;
  uint64_t count;
};

std::array<Cause, 5> causes_of(const CacheStatistics::Made &made) {
  return {Cause{"new_code", "new code: function, types or build of Kiln", made.new_code},
          {"changed_callees", "what the function calls has changed", made.changed_callees},
          {"other_options", "known code with other options, or dropped since", made.other_options},
          {"other_device_library", "made with another device library", made.other_device_library},
          {"new_text", "PTX that this assembler had not assembled", made.new_text}};
}

double seconds_since(std::chrono::system_clock::time_point use) {
  const std::chrono::duration<double> ago = std::chrono::system_clock::now() - use;
  return std::max(0.0, ago.count());
}

std::string statistics_text(const CacheFolder &folder, const CacheStatistics &found) {
  const uint64_t asked = found.hits + found.misses;
  std::string out = fmt::format("folder: {}\nentries: {}\nbytes: {} ({} of {})\nhits: {}\nmisses: {}\n",
                                folder.path(), found.entries, found.bytes, megabytes(found.bytes),
                                megabytes(folder.budget()), found.hits, found.misses);
  if (asked) out += fmt::format("hit rate: {:.1f} %\n", 100.0 * double(found.hits) / double(asked));
  for (const Cause &cause : causes_of(found.made))
    if (cause.count) out += fmt::format("compiled: {}: {}\n", cause.text, cause.count);
  if (found.oldest_use)
    out += fmt::format("least recently used: {:.1f} hours ago\n", seconds_since(*found.oldest_use) / 3600);
  return out;
}

std::string statistics_json(const CacheFolder &folder, const CacheStatistics &found) {
  JsonObject compiled;
  for (const Cause &cause : causes_of(found.made)) compiled.add(cause.name, cause.count);
  JsonObject out;
  out.add("folder", folder.path())
      .add("entries", found.entries)
      .add("size_bytes", found.bytes)
      .add("budget_bytes", folder.budget())
      .add("hits", found.hits)
      .add("misses", found.misses)
      .add("compiled", compiled);
  if (found.oldest_use)
    out.add("oldest_use_seconds", seconds_since(*found.oldest_use));
  else
    out.add_null("oldest_use_seconds");
  return out.line();
}

Result<void> stat(const CacheFolder &folder, const StatOptions &options) {
  KILN_TRY(const CacheStatistics found, folder.statistics());
  if (options.zero) KILN_CHECK(folder.reset_statistics());
  return write_result({}, options.json ? statistics_json(folder, found) : statistics_text(folder, found));
}

Result<void> show(Result<CacheSweep> swept) {
  if (!swept.ok()) return swept.take_error();
  return write_result(
      {}, fmt::format("{} of {} dropped\n", swept->dropped, counted(swept->entries, "entry", "entries")));
}

Result<void> export_to(const CacheFolder &folder, const std::string &path) {
  KILN_TRY(const CacheExport done, folder.export_to(path));
  if (const size_t left_out = done.without_cubin)
    warn(fmt::format(
        "{} assembled together with others, which is for launches with this folder alone, without a cubin of {} own: "
        "the archive has none; kiln precompile --no-merge makes one for each kernel",
        counted(left_out, "kernel was", "kernels were"), left_out == 1 ? "its" : "their"));
  return write_result({}, fmt::format("{} written to {}\n", counted(done.entries, "entry", "entries"), path));
}

Result<void> export_image(const CacheFolder &folder, const std::string &path) {
  KILN_TRY(const CacheExport done, folder.export_image(path));
  return write_result(
      {}, fmt::format("{} written to {}, an OCI image\n", counted(done.entries, "entry", "entries"), path));
}

Result<void> import_from(const CacheFolder &folder, const std::string &path) {
  KILN_TRY(const CacheImport done, folder.import_from(path));
  KILN_CHECK(write_result(
      {}, fmt::format("{} taken into {}\n", counted(done.entries, "entry", "entries"), folder.path())));
  if (done.lost)
    return machine_error(
        fmt::format("the folder {} does not hold {} of the entries", folder.path(), done.lost),
        "it cannot be written to, the disk is full, or its budget is too small (KILN_CACHE_SIZE, in MiB)");
  if (done.is_cut_off || done.damaged)
    return input_error(fmt::format("{} is damaged: {} left out{}", path,
                                   counted(done.damaged, "entry", "entries"),
                                   done.is_cut_off ? ", and it is cut off" : ""));
  return {};
}

struct ArchiveOptions {
  CommonOptions common;
  std::string file;

  void add_to(CLI::App &app) {
    common.add_folder_to(app);
    app.add_option("file", file, "the archive")->required()->type_name("FILE");
  }
};

Action stat_command(CLI::App &app) {
  auto options = std::make_shared<StatOptions>();
  options->common.add_folder_to(app);
  app.add_flag("--zero", options->zero, "then set hits, misses and compiles to 0");
  add_json_to(app, options->json);
  return [options]() -> Result<void> {
    KILN_TRY(auto folder, open_usable_folder(options->common));
    return stat(folder, *options);
  };
}

Action gc_command(CLI::App &app) {
  auto common = std::make_shared<CommonOptions>();
  common->add_folder_to(app);
  return [common]() -> Result<void> {
    KILN_TRY(auto folder, open_usable_folder(*common));
    return show(folder.sweep());
  };
}

Action clear_command(CLI::App &app) {
  auto common = std::make_shared<CommonOptions>();
  common->add_folder_to(app);
  return [common]() -> Result<void> {
    KILN_TRY(auto folder, open_usable_folder(*common));
    return show(folder.clear());
  };
}

Action export_command(CLI::App &app) {
  struct Options {
    CommonOptions common;
    std::string file, image;
  };
  auto options = std::make_shared<Options>();
  options->common.add_folder_to(app);
  app.add_option("file", options->file, "the archive")->type_name("FILE");
  app.add_option("--oci", options->image, "write an OCI image layout in place of an archive")
      ->type_name("FOLDER");
  return [options]() -> Result<void> {
    if (options->file.empty() == options->image.empty())
      return usage_error("kiln cache export takes a FILE or --oci FOLDER");
    KILN_TRY(auto folder, open_usable_folder(options->common));
    return options->image.empty() ? export_to(folder, options->file) : export_image(folder, options->image);
  };
}

Action import_command(CLI::App &app) {
  auto options = std::make_shared<ArchiveOptions>();
  options->add_to(app);
  return [options]() -> Result<void> {
    KILN_TRY(auto folder, open_cache_folder(options->common));
    return import_from(folder, options->file);
  };
}

constexpr Command commands[] = {
    {"stat", "Look", "Entries, bytes, hits, and why products were compiled", "kiln cache stat [OPTIONS]",
     "kiln cache stat --json", stat_command},
    {"ls", "Look", "All entries: job, target, size, last use, build", "kiln cache ls [OPTIONS]",
     "kiln cache ls", cache_ls_command},
    {"explain", "Look",
     "Explains why a job is not in the folder\n"
     "Shows the nearest entry, the differences, and the cost of the miss.",
     "kiln cache explain FILE.jl... 'f(T1, T2)' [OPTIONS]\nkiln cache explain MANIFEST|TRACE [OPTIONS]",
     "kiln cache explain saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)'",
     cache_explain_command},
    {"verify", "Keep",
     "Drops damaged and wrong entries\n"
     "Reads every entry, assembles some texts again, and with a list of jobs compiles some again.",
     "kiln cache verify [MANIFEST|TRACE] [OPTIONS]\nkiln cache verify --trust-keys KEYS FOLDER|FILE...",
     "kiln cache verify manifest.json --sample 100", cache_verify_command},
    {"gc", "Keep", "Drops the least recently used entries, down to the budget, and leftovers",
     "kiln cache gc [OPTIONS]", "kiln cache gc", gc_command},
    {"clear", "Keep", "Drops all entries", "kiln cache clear [OPTIONS]", "kiln cache clear", clear_command},
    {"export", "Move", "Writes all entries to a file, or to an OCI image",
     "kiln cache export FILE [OPTIONS]\nkiln cache export --oci FOLDER [OPTIONS]",
     "kiln cache export kernels.archive", export_command},
    {"import", "Move", "Takes the entries of a file that export wrote", "kiln cache import FILE [OPTIONS]",
     "kiln cache import kernels.archive", import_command},
    {"agent", "Remote stores", "The process of this node that connects to remote stores, and what it did",
     "kiln cache agent [serve|stat|stop] [OPTIONS]", "kiln cache agent stat", cache_agent_command},
    {"keygen", "Remote stores", "Makes a key that signs entries of remote stores",
     "kiln cache keygen FILE [OPTIONS]", "kiln cache keygen writer --name ci", cache_keygen_command},
    {"sign", "Remote stores", "Signs entries of a remote store that is a folder",
     "kiln cache sign --sign-key FILE FOLDER [OPTIONS]", "kiln cache sign --sign-key writer /mnt/kiln-cache",
     cache_sign_command},
};

} // namespace

Result<CacheFolder> open_cache_folder(const CommonOptions &common) {
  KILN_CHECK(common.check());
  const SessionOptions options = common.session();
  if (cache_folder_path(options).empty())
    return usage_error("there is no cache folder: name one with --cache or KILN_CACHE_DIR");
  return CacheFolder::open(options);
}

Result<CacheFolder> open_usable_folder(const CommonOptions &common) {
  KILN_TRY(CacheFolder folder, open_cache_folder(common));
  KILN_CHECK(folder.check_usable());
  return folder;
}

Action cache_command(CLI::App &app) { return add_commands(app, commands); }

} // namespace kiln::tool
