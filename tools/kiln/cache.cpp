// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache: what is in the folder, whether it is whole, what it lacks and why; and moving it.
#include "cache.h"

#include "arguments.h"
#include "output.h"

#include <targets/targets.h>

#include <ctime>

namespace kiln::tool {

namespace {

constexpr uint64_t archive_magic = 0x6863724b6e6c694b; // "KilnKrch"
constexpr size_t most_archived = size_t(1) << 36;

Result<std::shared_ptr<FolderStore>> open(const CommonOptions &common) {
  auto log = std::make_shared<Log>();
  auto folder = open_folder(common.session(), [log](const std::string &warning) { log->warn("{}", warning); });
  if (!folder) return usage_error("there is no cache folder: name one with --cache or KILN_CACHE_DIR");
  return folder;
}

std::string megabytes(uint64_t bytes) { return fmt::format("{:.1f} MiB", double(bytes) / (1 << 20)); }

/// The kind of an entry's content, and the artifact if it is one.
struct Opened {
  std::optional<StoredArtifact> artifact;
  bool is_whole = false;
};
Opened open_entry_of(FolderStore &folder, Fingerprint key) {
  Opened opened;
  std::optional<std::string> bytes = get_blob(folder, key);
  if (!bytes) return opened;
  Result<std::string> content = open_entry(key, *bytes);
  if (!content.ok()) return opened;
  opened.is_whole = true;
  if (Result<StoredArtifact> read = read_artifact(*content); read.ok()) opened.artifact = std::move(*read);
  return opened;
}

std::string value_of(const EntryNote &note, std::string_view name) {
  for (const KeyField &field : note.fields)
    if (field.name == name) return field.value;
  return {};
}

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
  std::string out = fmt::format("folder: {}\nentries: {}\nbytes: {} ({} of {})\nhits: {}\nmisses: {}\n", folder.options().path, entries.size(), bytes, megabytes(bytes), megabytes(folder.options().budget), counts.hits, counts.misses);
  if (asked) out += fmt::format("hit rate: {:.1f} %\n", 100.0 * double(counts.hits) / double(asked));
  if (oldest) out += fmt::format("least recently used: {:.1f} hours ago\n", std::max(0.0, (double(std::time(nullptr)) - double(oldest) * 1e-9) / 3600));
  return write_result({}, out);
}

Result<void> verify(FolderStore &folder) {
  auto entries = folder.list();
  size_t artifacts = 0, damaged = 0;
  std::string out;
  for (const auto &entry : entries) {
    Opened opened = open_entry_of(folder, entry.key);
    artifacts += opened.artifact.has_value();
    if (opened.is_whole) continue;
    damaged++;
    out += fmt::format("damaged: {}\n", entry.key.hex());
    folder.put({Blob{entry.key, {}}}, StoreClock::now() + std::chrono::seconds(10));
  }
  out += fmt::format("{} entries are whole, {} of them artifacts; {} were damaged{}\n", entries.size() - damaged, artifacts, damaged, damaged ? " and are dropped" : "");
  KILN_CHECK(write_result({}, out));
  if (damaged) return input_error("error", fmt::format("{} damaged entries", damaged), {}, "they are compiled again when they are needed");
  return {};
}

Result<void> shrink(FolderStore &folder, uint64_t budget) {
  size_t before = folder.list().size();
  if (folder.is_usable() && !folder.sweep(budget)) return machine_error(fmt::format("the cache folder {} is being swept by another process, or cannot be written to", folder.options().path));
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
  KILN_TRY(std::string bytes, read_file(path, most_archived));
  ByteReader in(bytes);
  if (in.number<uint64_t>() != archive_magic) return input_error("error", fmt::format("{} is no archive of a cache", path));
  if (uint32_t version = in.number<uint32_t>(); version != entry_version) return input_error("error", fmt::format("{} has version {} of the format, and this is version {}", path, version, entry_version));
  size_t count = 0, damaged = 0;
  while (!in.failed() && !in.at_end()) {
    Fingerprint key = in.fingerprint();
    std::string_view entry = in.text();
    if (in.failed()) break;
    if (open_entry(key, entry).ok()) {
      folder.put({Blob{key, std::string(entry)}}, StoreClock::now() + std::chrono::seconds(60));
      count++;
    } else {
      damaged++;
    }
  }
  KILN_CHECK(write_result({}, fmt::format("{} entries taken into {}\n", count, folder.options().path)));
  if (in.failed() || damaged) return input_error("error", fmt::format("{} is damaged: {} entries were left out{}", path, damaged, in.failed() ? ", and it is cut off" : ""));
  return {};
}

/// Which recorded artifact differs least from a job, function and arguments first.
struct Nearest {
  EntryNote note;
  std::vector<std::string> differences; ///< "opt_level: 3, and 2 here"
  size_t distance = ~size_t(0);
};
Nearest nearest_to(FolderStore &folder, const std::vector<KeyField> &wanted) {
  Nearest nearest;
  for (const auto &entry : folder.list()) {
    Opened opened = open_entry_of(folder, entry.key);
    if (!opened.artifact || opened.artifact->note.fields.size() != wanted.size()) continue;
    const EntryNote &note = opened.artifact->note;
    size_t distance = 0;
    std::vector<std::string> differences;
    for (const KeyField &field : wanted) {
      std::string other = value_of(note, field.name);
      if (other == field.value) continue;
      distance += field.name == "function" ? 1000 : field.name == "arguments" ? 100 : field.name == "product" ? 50 : 1;
      differences.push_back(fmt::format("{}: {} there, {} here", field.name, other.empty() ? "nothing" : other, field.value.empty() ? "nothing" : field.value));
    }
    if (distance >= nearest.distance) continue;
    nearest = {note, std::move(differences), distance};
  }
  return nearest;
}

Result<void> explain(const CommonOptions &common, const CompileOptions &options, FolderStore &folder) {
  if (options.inputs.size() < 2) return usage_error("explain takes files and then a call: kiln cache explain FILE.jl... 'f(T1, T2)'");
  KILN_TRY(CompilerConfig config, options.config(/*kernel_by_default=*/true));
  CompileOptions wanted = options;
  if (wanted.emit.empty()) wanted.emit = config.target.kind == TargetKind::Native ? "obj" : "asm";
  KILN_TRY(ArtifactKind kind, wanted.artifact(config.target.kind));
  if (kind < ArtifactKind::Assembly || kind == ArtifactKind::Cubin) return usage_error("explain is for --emit asm and obj");
  SessionOptions opening = common.session();
  opening.cache_dir = opening.shared_cache_dir = ""; // it looks only
  KILN_TRY(std::unique_ptr<Session> session, Session::open(opening));
  KILN_CHECK(load_files(*session, options.files()));
  Session::State &state = session->state();
  auto use = state.code.use();
  KILN_TRY(CompilerJob job, state.job(options.call(), config));
  const Target &target = find_target(config.target.kind);
  KILN_TRY(auto told, state.driver.tell_key(job, target, kind));
  Opened opened = open_entry_of(folder, told.key);
  std::string out = fmt::format("key: {}\n", told.key.hex());
  if (opened.artifact) {
    const EntryNote &note = opened.artifact->note;
    out += fmt::format("hit: {} bytes, which took {:.2f} ms to compile\n", opened.artifact->artifact.bytes.size(), note.compile_ms);
    return write_result({}, out);
  }
  out += opened.is_whole ? "miss: the entry holds something else\n" : "miss\n";
  Nearest nearest = nearest_to(folder, told.fields);
  if (nearest.distance == ~size_t(0)) {
    out += "nearest: none, the folder holds no artifact\n";
  } else {
    out += fmt::format("nearest: {}({}), which took {:.2f} ms to compile\n", value_of(nearest.note, "function"), value_of(nearest.note, "arguments"), nearest.note.compile_ms);
    for (const std::string &difference : nearest.differences) out += fmt::format("  {}\n", difference);
  }
  return write_result({}, out);
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
  verify = add("verify", "reads every entry, and drops those that are damaged");
  gc = add("gc", "drops what was used longest ago, down to the budget, and leftovers");
  clear = add("clear", "drops all entries");
  export_to = add("export", "writes all entries to a file, for another machine");
  import_from = add("import", "takes the entries of such a file");
  for (CLI::App *each : {export_to, import_from}) each->add_option("file", file, "the archive")->required()->type_name("FILE");
  explain = add("explain", "whether a job is in the folder; if not, what comes nearest, and how they differ:\n  kiln cache explain FILE.jl... 'f(T1, T2)' [OPTIONS]");
  explain->add_option("inputs", compile.inputs, "files, then the call")->type_name("FILE.jl...");
  compile.add_to(*explain);
}

Result<void> cache(const CommonOptions &common, const CompileOptions &compile, const CacheOptions &options) {
  KILN_TRY(std::shared_ptr<FolderStore> folder, open(common));
  if (options.verify->parsed()) return verify(*folder);
  if (options.gc->parsed()) return shrink(*folder, folder->options().budget);
  if (options.clear->parsed()) return shrink(*folder, 0);
  if (options.export_to->parsed()) return export_to(*folder, options.file);
  if (options.import_from->parsed()) return import_from(*folder, options.file);
  if (options.explain->parsed()) return explain(common, compile, *folder);
  return stat(*folder);
}

} // namespace kiln::tool
