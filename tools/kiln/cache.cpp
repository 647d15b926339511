// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache: what is in the folder, whether it is whole, what it lacks and why; and moving it.
#include "cache.h"

#include "cache_entries.h"
#include "output.h"

#include <ctime>
#include <filesystem>

namespace kiln::tool {

namespace {

constexpr uint64_t archive_magic = 0x6863724b6e6c694b; // "KilnKrch"
constexpr size_t max_archived = size_t(1) << 36;

Result<std::shared_ptr<FolderStore>> open(const CommonOptions &common) {
  auto log = std::make_shared<Log>();
  auto folder =
      open_folder(common.session(), [log](const std::string &warning) { log->warn("{}", warning); });
  if (!folder) return usage_error("there is no cache folder: name one with --cache or KILN_CACHE_DIR");
  return folder;
}

std::string megabytes(uint64_t bytes) { return fmt::format("{:.1f} MiB", double(bytes) / (1 << 20)); }

Result<void> stat(FolderStore &folder) {
  auto entries = folder.list();
  uint64_t bytes = 0;
  int64_t oldest = 0;
  for (const auto &entry : entries) {
    bytes += entry.bytes;
    oldest = oldest ? std::min(oldest, entry.used) : entry.used;
  }
  FolderStore::Counts counts = folder.counts();
  uint64_t asked = counts.hits + counts.misses;
  std::string out = fmt::format("folder: {}\nentries: {}\nbytes: {} ({} of {})\nhits: {}\nmisses: {}\n",
                                folder.options().path, entries.size(), bytes, megabytes(bytes),
                                megabytes(folder.options().budget), counts.hits, counts.misses);
  if (asked) out += fmt::format("hit rate: {:.1f} %\n", 100.0 * double(counts.hits) / double(asked));
  if (oldest)
    out += fmt::format("least recently used: {:.1f} hours ago\n",
                       std::max(0.0, (double(std::time(nullptr)) - double(oldest) * 1e-9) / 3600));
  return write_result({}, out);
}

bool is_empty_folder(const std::string &path) {
  std::error_code unknown;
  return std::filesystem::is_empty(path, unknown) && std::filesystem::is_directory(path, unknown);
}

Result<void> shrink(FolderStore &folder, uint64_t budget) {
  size_t before = folder.list().size();
  if (folder.is_usable() && !folder.sweep(budget))
    return machine_error(
        fmt::format("the cache folder {} is being swept by another process, or cannot be written to",
                    folder.options().path));
  return write_result({}, fmt::format("{} of {} entries dropped\n", before - folder.list().size(), before));
}

Result<void> export_to(FolderStore &folder, const std::string &path) {
  ByteWriter out;
  out.add(archive_magic).add(entry_version);
  size_t count = 0;
  for (const auto &entry : folder.list()) {
    std::optional<std::string> bytes = get_blob(folder, entry.key);
    if (!bytes || !open_entry(entry.key, *bytes).ok()) continue;
    out.add(entry.key).add(*bytes);
    count++;
  }
  KILN_CHECK(write_file_atomically(path, out.take()));
  return write_result({}, fmt::format("{} entries written to {}\n", count, path));
}

Result<void> import_from(FolderStore &folder, const std::string &path) {
  KILN_TRY(std::string bytes, read_file(path, max_archived));
  ByteReader in(bytes);
  if (in.number<uint64_t>() != archive_magic)
    return input_error("error", fmt::format("{} is no archive of a cache", path));
  if (uint32_t version = in.number<uint32_t>(); version != entry_version)
    return input_error("error", fmt::format("{} has version {} of the format, and this is version {}", path,
                                            version, entry_version));
  size_t count = 0, damaged = 0, lost = 0;
  while (!in.failed() && !in.at_end()) {
    Fingerprint key = in.fingerprint();
    std::string_view entry = in.text();
    if (in.failed()) break;
    if (open_entry(key, entry).ok()) {
      folder.put({Blob{key, std::string(entry)}}, StoreClock::now() + std::chrono::seconds(60));
      (get_blob(folder, key) == entry ? count : lost)++;
    } else {
      damaged++;
    }
  }
  KILN_CHECK(write_result({}, fmt::format("{} entries taken into {}\n", count, folder.options().path)));
  if (lost)
    return machine_error(
        fmt::format("the folder {} does not hold {} of the entries", folder.options().path, lost),
        "it cannot be written to, the disk is full, or its budget is too small (KILN_CACHE_SIZE, in MiB)");
  if (in.failed() || damaged)
    return input_error("error", fmt::format("{} is damaged: {} entries were left out{}", path, damaged,
                                            in.failed() ? ", and it is cut off" : ""));
  return {};
}

} // namespace

void CacheOptions::add_to(CLI::App &command, CommonOptions &common, CompileOptions &compile) {
  command.require_subcommand(1);
  auto add = [&](const char *name, const char *about) {
    CLI::App *made = command.add_subcommand(name, about);
    common.add_to(*made);
    return made;
  };
  stat = add("stat", "entries, bytes, hits and misses of the folder");
  verify = add(
      "verify",
      "reads every entry, assembles some texts again, and with a list of jobs compiles some again; drops what is damaged or wrong");
  verify->add_option("list", file, "a manifest or trace, as kiln precompile takes it")
      ->type_name("MANIFEST|TRACE");
  verify->add_option("--sample", sample, "how many entries are made again")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  gc = add("gc", "drops what was used longest ago, down to the budget, and leftovers");
  clear = add("clear", "drops all entries");
  export_to = add("export", "writes all entries to a file, for another machine");
  import_from = add("import", "takes the entries of such a file");
  for (CLI::App *each : {export_to, import_from})
    each->add_option("file", file, "the archive")->required()->type_name("FILE");
  explain = add(
      "explain",
      "whether a job is in the folder; if not, what comes nearest, how they differ, and what the miss costs:\n  kiln cache explain FILE.jl... 'f(T1, T2)' [OPTIONS]\n  kiln cache explain MANIFEST|TRACE");
  explain->add_option("inputs", compile.inputs, "files, then the call; or a manifest or trace")
      ->type_name("FILE.jl...");
  compile.add_to(*explain);
}

Result<void> cache(const CommonOptions &common, const CompileOptions &compile, const CacheOptions &options) {
  KILN_TRY(std::shared_ptr<FolderStore> folder, open(common));
  std::error_code unknown;
  const bool is_there = std::filesystem::exists(folder->options().path, unknown);
  const bool is_used_alone = !options.explain->parsed() && !options.import_from->parsed(); // these tell more
  if (is_used_alone && is_there && !folder->is_usable() && !is_empty_folder(folder->options().path))
    return machine_error(fmt::format("the cache folder {} cannot be used", folder->options().path),
                         "it is no folder, not readable, or refused since others can write to it");
  if (options.export_to->parsed() && !is_there)
    return machine_error(fmt::format("there is no cache folder {}", folder->options().path));
  if (options.verify->parsed()) return verify(common, options, *folder);
  if (options.gc->parsed()) return shrink(*folder, folder->options().budget);
  if (options.clear->parsed()) return shrink(*folder, 0);
  if (options.export_to->parsed()) return export_to(*folder, options.file);
  if (options.import_from->parsed()) return import_from(*folder, options.file);
  if (options.explain->parsed()) return explain(common, compile, *folder);
  return stat(*folder);
}

} // namespace kiln::tool
