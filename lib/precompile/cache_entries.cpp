// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the entries of a cache folder with a description of their contents, for kiln cache ls.
#include "cache_state.h"
#include "verify.h"

#include <architectures/architectures.h>
#include <job/product_name.h>
#include <targets/targets.h>

namespace kiln {

namespace {

/// "ptx sm_90", "native znver4"
std::string target_text(const EntryNote &note) {
  const std::string name(field_value(note.fields, "target"));
  const std::optional<TargetSpec> spec = recorded_target(note.fields, own_targets());
  if (!spec) return name;
  const std::optional<GpuCode> code = own_targets().of(*spec).gpu_code(*spec);
  const std::string arch = code ? arch_name(arch_of(*code)) : std::string(field_value(note.fields, "cpu"));
  return arch.empty() ? name : fmt::format("{} {}", name, arch);
}

void describe_artifact(const StoredArtifact &stored, CacheEntry &entry) {
  const EntryNote &note = stored.note;
  entry.compile_ms = note.compile_ms;
  entry.kind = product_name(stored.artifact.kind);
  if (field_value(note.fields, "kind") == merged_cubin_kind) {
    entry.kind = merged_cubin_kind;
    for (const KeyField &each : note.fields)
      if (each.name != "kind" && each.name != "assembler")
        entry.job += (entry.job.empty() ? "" : ", ") + each.name;
  } else if (const std::string_view function = field_value(note.fields, "function"); !function.empty()) {
    entry.job = fmt::format("{}({})", function, field_value(note.fields, "arguments"));
  } else {
    entry.job = stored.artifact.entry;
  }
  entry.target = target_text(note);
  entry.build = field_value(note.fields, "toolchain");
  if (entry.build.empty()) entry.build = field_value(note.fields, "assembler");
}

void describe_content(std::string_view content, CacheEntry &entry) {
  switch (ContentKind(content_kind(content))) {
  case ContentKind::Artifact:
    if (auto stored = read_artifact(content); stored.ok()) return describe_artifact(*stored, entry);
    break;
  case ContentKind::Edges: entry.kind = "edges"; return;
  case ContentKind::Text: entry.kind = "text"; return;
  case ContentKind::Member: entry.kind = "member"; return;
  }
  entry.kind = "damaged";
}

} // namespace

Result<std::vector<CacheEntry>> CacheFolder::entries() const {
  KILN_CHECK(check_usable());
  FolderOptions options = state_->folder->options();
  options.read_only = true; // a listing must not update the times of last use
  FolderStore folder(std::move(options));
  std::vector<CacheEntry> entries;
  for (const FolderStore::EntryFile &file : folder.list()) {
    const std::optional<std::string> bytes = get_blob(folder, file.key);
    if (!bytes) continue;
    CacheEntry entry{.key = file.key.hex(), .bytes = file.bytes, .last_use = time_point_of(file.used)};
    if (Result<std::string> content = open_entry(file.key, *bytes); content.ok())
      describe_content(*content, entry);
    else
      entry.kind = "damaged";
    entries.push_back(std::move(entry));
  }
  return entries;
}

} // namespace kiln
