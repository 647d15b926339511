// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache ls: lists the entries of the cache folder.
#include "../json_object.h"
#include "../output.h"
#include "cache_entries.h"

#include <support/count.h>

#include <algorithm>
#include <ctime>

namespace kiln::tool {

namespace {

struct ListOptions {
  CommonOptions common;
  bool json = false;
};

/// Formats a time as "2026-11-27 08:00", in local time. Minutes are always 00, because the cache folder
/// records the last use in whole hours.
std::string hour_text(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:00", &local)};
}

/// Returns true for a compiled product and for a damaged entry. Internal records of the cache are not listed.
bool is_shown(const CacheEntry &entry) {
  return entry.kind != "edges" && entry.kind != "text" && entry.kind != "member";
}

std::string text_of(std::vector<CacheEntry> entries) {
  const auto records = std::stable_partition(entries.begin(), entries.end(), is_shown);
  uint64_t record_bytes = 0;
  for (auto each = records; each != entries.end(); ++each) record_bytes += each->bytes;
  const size_t num_records = size_t(entries.end() - records);
  entries.erase(records, entries.end());
  std::ranges::stable_sort(entries, std::greater(), &CacheEntry::last_use); // recent uses first

  size_t kind = 4, target = 6;
  for (const CacheEntry &entry : entries) {
    kind = std::max(kind, entry.kind.size());
    target = std::max(target, entry.target.size());
  }
  std::string out;
  if (!entries.empty())
    out = fmt::format("{:<16}  {:>10}  {:<{}}  {:<{}}  {}\n", "last use", "bytes", "kind", kind, "target",
                      target, "job (build)");
  for (const CacheEntry &entry : entries)
    out +=
        fmt::format("{:<16}  {:>10}  {:<{}}  {:<{}}  {}\n", hour_text(entry.last_use), entry.bytes,
                    entry.kind, kind, entry.target, target,
                    entry.kind == "damaged" ? fmt::format("entry {}: kiln cache verify drops it", entry.key)
                                            : fmt::format("{} ({})", entry.job, entry.build));
  return out + fmt::format("{}, and {} of {} bytes\n", counted(entries.size(), "product"),
                           counted(num_records, "record"), record_bytes);
}

JsonObject json_of(const CacheEntry &entry) {
  using std::chrono::duration_cast, std::chrono::seconds;
  return JsonObject()
      .add("key", entry.key)
      .add("kind", entry.kind)
      .add("job", entry.job)
      .add("target", entry.target)
      .add("build", entry.build)
      .add("size_bytes", entry.bytes)
      .add("compile_seconds", entry.compile_ms / 1e3)
      .add("last_use_unix_seconds", duration_cast<seconds>(entry.last_use.time_since_epoch()).count());
}

Result<void> list(const ListOptions &options) {
  KILN_TRY(const CacheFolder folder, open_usable_folder(options.common));
  KILN_TRY(std::vector<CacheEntry> entries, folder.entries());
  if (!options.json) return write_result({}, text_of(std::move(entries)));
  std::vector<JsonObject> all;
  for (const CacheEntry &entry : entries) all.push_back(json_of(entry));
  return write_result({}, JsonObject().add("folder", folder.path()).add("entries", all).line());
}

} // namespace

Action cache_ls_command(CLI::App &app) {
  auto options = std::make_shared<ListOptions>();
  options->common.add_folder_to(app);
  add_json_to(app, options->json);
  return [options] { return list(*options); };
}

} // namespace kiln::tool
