// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache: lists, checks, explains and moves the entries of the folder.
#include "../command.h"
#include "../output.h"
#include "../with_session.h"
#include "cache_entries.h"

#include <support/count.h>

#include <algorithm>
#include <chrono>

namespace kiln::tool {

namespace {

std::string megabytes(uint64_t bytes) { return fmt::format("{:.1f} MiB", double(bytes) / (1 << 20)); }

Result<void> stat(const CacheFolder &folder) {
  KILN_TRY(const CacheStatistics found, folder.statistics());
  const uint64_t asked = found.hits + found.misses;
  std::string out = fmt::format("folder: {}\nentries: {}\nbytes: {} ({} of {})\nhits: {}\nmisses: {}\n",
                                folder.path(), found.entries, found.bytes, megabytes(found.bytes),
                                megabytes(folder.budget()), found.hits, found.misses);
  if (asked) out += fmt::format("hit rate: {:.1f} %\n", 100.0 * double(found.hits) / double(asked));
  if (found.oldest_use) {
    using Hours = std::chrono::duration<double, std::ratio<3600>>;
    const Hours ago = std::chrono::system_clock::now() - *found.oldest_use;
    out += fmt::format("least recently used: {:.1f} hours ago\n", std::max(0.0, ago.count()));
  }
  return write_result({}, out);
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
  auto common = std::make_shared<CommonOptions>();
  common->add_folder_to(app);
  return [common]() -> Result<void> {
    KILN_TRY(auto folder, open_usable_folder(*common));
    return stat(folder);
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
    {"stat", "entries, bytes, hits and misses of the folder", stat_command},
    {"verify",
     "reads every entry, assembles some texts again, and with a list of jobs compiles some again; drops what is damaged or wrong",
     cache_verify_command},
    {"gc", "drops what was used longest ago, down to the budget, and leftovers", gc_command},
    {"clear", "drops all entries", clear_command},
    {"export", "writes all entries to a file, for another machine, or to an OCI image", export_command},
    {"import", "takes the entries of such a file", import_command},
    {"explain",
     "whether a job is in the folder; if not, what comes nearest, how they differ, and what the miss costs:\n  kiln cache explain FILE.jl... 'f(T1, T2)' [OPTIONS]\n  kiln cache explain MANIFEST|TRACE",
     cache_explain_command},
    {"agent",
     "the process of this node that connects to remote stores, and what it did:\n  kiln cache agent [serve|stat|stop] [OPTIONS]",
     cache_agent_command},
    {"keygen", "makes a key that signs entries of remote stores", cache_keygen_command},
    {"sign", "signs entries of a remote store that is a folder", cache_sign_command},
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
