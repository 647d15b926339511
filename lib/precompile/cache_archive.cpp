// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports all entries of a cache folder to one file (an archive), and imports them.
#include "cache_state.h"

#include <algorithm>
#include <set>

namespace kiln {

namespace {

constexpr uint64_t archive_magic = 0x6863724b6e6c694b; // "KilnKrch"
constexpr size_t max_archived = size_t(1) << 36;

/// Adds the digests of the assembly texts of which a merged cubin was made. Does nothing for other entries.
void note_members(std::string_view content, std::set<std::string> &texts) {
  const Result<StoredArtifact> stored = read_artifact(content);
  if (!stored.ok()) return;
  for (const KeyField &field : stored->note.fields)
    if (field.name != "kind" && field.name != "assembler") texts.insert(field.value);
}

} // namespace

Result<CacheExport> CacheFolder::export_to(const std::string &file) const {
  KILN_CHECK(check_usable());
  if (!exists()) return machine_error(fmt::format("there is no cache folder {}", path()));
  FolderStore &folder = *state_->folder;
  ByteWriter out;
  out.add(archive_magic).add(entry_version);
  CacheExport done;
  std::set<std::string> there,
      merged; // `there`: keys in the folder; `merged`: digests of the texts in merged cubins
  for (const auto &entry : folder.list()) {
    std::optional<std::string> bytes = get_blob(folder, entry.key);
    if (!bytes) continue;
    Result<std::string> content = open_entry(entry.key, *bytes);
    if (!content.ok()) continue;
    there.insert(entry.key.hex()); // a cubin is also stored under its text's digest
    if (is_for_launches_alone(*content)) {
      note_members(*content, merged);
      continue;
    }
    out.add(entry.key).add(*bytes);
    done.entries++;
  }
  KILN_CHECK(write_file_atomically(file, out.take()));
  done.without_cubin =
      size_t(std::ranges::count_if(merged, [&](const std::string &text) { return !there.contains(text); }));
  return done;
}

Result<CacheImport> CacheFolder::import_from(const std::string &file) const {
  KILN_TRY(std::string bytes, read_file(file, max_archived));
  ByteReader in(bytes);
  if (in.number<uint64_t>() != archive_magic)
    return input_error(fmt::format("{} is no archive of a cache", file));
  if (uint32_t version = in.number<uint32_t>(); version != entry_version)
    return input_error(
        fmt::format("{} has version {} of the format, and this is version {}", file, version, entry_version));
  FolderStore &folder = *state_->folder;
  CacheImport done;
  while (!in.failed() && !in.at_end()) {
    Fingerprint key = in.fingerprint();
    std::string_view entry = in.text();
    if (in.failed()) break;
    if (open_entry(key, entry).ok()) {
      folder.put({Blob{key, std::string(entry)}}, StoreClock::now() + std::chrono::seconds(60));
      (get_blob(folder, key) == entry ? done.entries : done.lost)++;
    } else {
      done.damaged++;
    }
  }
  done.is_cut_off = in.failed();
  return done;
}

} // namespace kiln
