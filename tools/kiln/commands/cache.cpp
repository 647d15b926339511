// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache: what is in the folder, whether it is whole, what it lacks and why; and moving it.
#include "../command.h"
#include "../output.h"
#include "../with_session.h"
#include "cache_entries.h"

#include <support/count.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

namespace kiln::tool {

namespace {

constexpr uint64_t archive_magic = 0x6863724b6e6c694b; // "KilnKrch"
constexpr size_t max_archived = size_t(1) << 36;

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
  return write_result({}, fmt::format("{} of {} dropped\n", before - folder.list().size(),
                                      counted(before, "entry", "entries")));
}

/// The digests of the texts that a cubin of several kernels was made of; of another entry, none.
void note_members(std::string_view content, std::set<std::string> &texts) {
  const Result<StoredArtifact> stored = read_artifact(content);
  if (!stored.ok()) return;
  for (const KeyField &field : stored->note.fields)
    if (field.name != "kind" && field.name != "assembler") texts.insert(field.value);
}

Result<void> export_to(FolderStore &folder, const std::string &path) {
  ByteWriter out;
  out.add(archive_magic).add(entry_version);
  size_t count = 0;
  std::set<std::string> there,
      merged; // digests of texts: what has a cubin of its own here, or in a merged one
  for (const auto &entry : folder.list()) {
    std::optional<std::string> bytes = get_blob(folder, entry.key);
    if (!bytes) continue;
    Result<std::string> content = open_entry(entry.key, *bytes);
    if (!content.ok()) continue;
    there.insert(entry.key.hex()); // a cubin lies under its text's digest too
    if (is_for_launches_alone(*content)) {
      note_members(*content, merged);
      continue;
    }
    out.add(entry.key).add(*bytes);
    count++;
  }
  KILN_CHECK(write_file_atomically(path, out.take()));
  const auto left_out =
      size_t(std::ranges::count_if(merged, [&](const std::string &text) { return !there.contains(text); }));
  if (left_out)
    warn(fmt::format(
        "{} assembled together with others, which is for launches with this folder alone, without a cubin of {} own: "
        "the archive has none; kiln precompile --no-merge makes one for each kernel",
        counted(left_out, "kernel was", "kernels were"), left_out == 1 ? "its" : "their"));
  return write_result({}, fmt::format("{} written to {}\n", counted(count, "entry", "entries"), path));
}

Result<void> import_from(FolderStore &folder, const std::string &path) {
  KILN_TRY(std::string bytes, read_file(path, max_archived));
  ByteReader in(bytes);
  if (in.number<uint64_t>() != archive_magic)
    return input_error(fmt::format("{} is no archive of a cache", path));
  if (uint32_t version = in.number<uint32_t>(); version != entry_version)
    return input_error(
        fmt::format("{} has version {} of the format, and this is version {}", path, version, entry_version));
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
  KILN_CHECK(write_result(
      {}, fmt::format("{} taken into {}\n", counted(count, "entry", "entries"), folder.options().path)));
  if (lost)
    return machine_error(
        fmt::format("the folder {} does not hold {} of the entries", folder.options().path, lost),
        "it cannot be written to, the disk is full, or its budget is too small (KILN_CACHE_SIZE, in MiB)");
  if (in.failed() || damaged)
    return input_error(fmt::format("{} is damaged: {} left out{}", path, counted(damaged, "entry", "entries"),
                                   in.failed() ? ", and it is cut off" : ""));
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
    return stat(*folder);
  };
}

Action gc_command(CLI::App &app) {
  auto common = std::make_shared<CommonOptions>();
  common->add_folder_to(app);
  return [common]() -> Result<void> {
    KILN_TRY(auto folder, open_usable_folder(*common));
    return shrink(*folder, folder->options().budget);
  };
}

Action clear_command(CLI::App &app) {
  auto common = std::make_shared<CommonOptions>();
  common->add_folder_to(app);
  return [common]() -> Result<void> {
    KILN_TRY(auto folder, open_usable_folder(*common));
    return shrink(*folder, 0);
  };
}

Action export_command(CLI::App &app) {
  auto options = std::make_shared<ArchiveOptions>();
  options->add_to(app);
  return [options]() -> Result<void> {
    KILN_TRY(auto folder, open_usable_folder(options->common));
    std::error_code unknown;
    if (!std::filesystem::exists(folder->options().path, unknown))
      return machine_error(fmt::format("there is no cache folder {}", folder->options().path));
    return export_to(*folder, options->file);
  };
}

Action import_command(CLI::App &app) {
  auto options = std::make_shared<ArchiveOptions>();
  options->add_to(app);
  return [options]() -> Result<void> {
    KILN_TRY(auto folder, open_cache_folder(options->common));
    return import_from(*folder, options->file);
  };
}

constexpr Command commands[] = {
    {"stat", "entries, bytes, hits and misses of the folder", stat_command},
    {"verify",
     "reads every entry, assembles some texts again, and with a list of jobs compiles some again; drops what is damaged or wrong",
     cache_verify_command},
    {"gc", "drops what was used longest ago, down to the budget, and leftovers", gc_command},
    {"clear", "drops all entries", clear_command},
    {"export", "writes all entries to a file, for another machine", export_command},
    {"import", "takes the entries of such a file", import_command},
    {"explain",
     "whether a job is in the folder; if not, what comes nearest, how they differ, and what the miss costs:\n  kiln cache explain FILE.jl... 'f(T1, T2)' [OPTIONS]\n  kiln cache explain MANIFEST|TRACE",
     cache_explain_command},
};

} // namespace

Result<std::shared_ptr<FolderStore>> open_cache_folder(const CommonOptions &common) {
  KILN_CHECK(common.check());
  auto folder = open_folder(common.session(), [](const std::string &warning) { warn(warning); });
  if (!folder) return usage_error("there is no cache folder: name one with --cache or KILN_CACHE_DIR");
  return folder;
}

Result<std::shared_ptr<FolderStore>> open_usable_folder(const CommonOptions &common) {
  KILN_TRY(std::shared_ptr<FolderStore> folder, open_cache_folder(common));
  const std::string &path = folder->options().path;
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) && !folder->is_usable() && !is_empty_folder(path))
    return machine_error(fmt::format("the cache folder {} cannot be used", path),
                         "it is no folder, not readable, or refused since others can write to it");
  return folder;
}

Action cache_command(CLI::App &app) { return add_commands(app, commands); }

} // namespace kiln::tool
