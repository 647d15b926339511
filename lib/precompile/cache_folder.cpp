// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache_state.h"
#include "verify.h"

#include <session/session.h>
#include <support/exceptions.h>

#include <algorithm>
#include <filesystem>

namespace kiln {

namespace {

bool is_empty_folder(const std::string &path) {
  std::error_code unknown;
  return std::filesystem::is_empty(path, unknown) && std::filesystem::is_directory(path, unknown);
}

/// Verifies the checksum of every entry, and drops damaged entries.
VerifyReport check_entries(FolderStore &folder) {
  VerifyReport report;
  for (const auto &entry : folder.list()) {
    const OpenedEntry opened = read_stored_entry(folder, entry.key);
    report.artifacts += opened.artifact.has_value();
    if (opened.content) {
      report.entries++;
      continue;
    }
    report.damaged.push_back(entry.key.hex());
    folder.put({Blob{entry.key, {}}}, StoreClock::now() + std::chrono::seconds(10));
  }
  return report;
}

/// Verifies all entries, then calls `compare`. Returns the results of both in one report.
template <class Compare>
Result<VerifyReport> verified(const CacheFolder &folder, CacheFolder::State &state, Compare &&compare) {
  const EnvironmentScope environment(state.options.use_environment);
  const DefaultFloatEnvironment floats;
  KILN_CHECK(folder.check_usable());
  VerifyReport checked = check_entries(*state.folder);
  KILN_TRY(VerifyReport report, call_embedder("a target of SessionOptions::targets", compare));
  report.entries = checked.entries;
  report.artifacts = checked.artifacts;
  report.damaged = std::move(checked.damaged);
  return report;
}

Result<CacheSweep> sweep_to(FolderStore &folder, uint64_t budget) {
  CacheSweep swept;
  swept.entries = folder.list().size();
  if (folder.is_usable() && !folder.sweep(budget))
    return machine_error(
        fmt::format("the cache folder {} is being swept by another process, or cannot be written to",
                    folder.options().path));
  const size_t left = folder.list().size(); // may be more than before: another process may add entries
  swept.dropped = swept.entries - std::min(swept.entries, left);
  return swept;
}

} // namespace

std::chrono::system_clock::time_point time_point_of(int64_t nanoseconds) {
  using std::chrono::system_clock;
  return system_clock::time_point(
      std::chrono::duration_cast<system_clock::duration>(std::chrono::nanoseconds(nanoseconds)));
}

OpenedEntry read_stored_entry(BlobStore &store, Fingerprint key) {
  OpenedEntry opened;
  std::optional<std::string> bytes = get_blob(store, key);
  if (!bytes) return opened;
  Result<std::string> content = open_entry(key, *bytes);
  if (!content.ok()) return opened;
  if (Result<StoredArtifact> read = read_artifact(*content); read.ok()) opened.artifact = std::move(*read);
  opened.content = std::move(*content);
  return opened;
}

std::string KILN_API_VERSION::cache_folder_path(const SessionOptions &options) {
  const EnvironmentScope environment(options.use_environment);
  return cache_folder(options);
}

CacheFolder::CacheFolder(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<CacheFolder> CacheFolder::open(const SessionOptions &options, const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::cache_structures()));
  const EnvironmentScope environment(options.use_environment);
  KILN_CHECK(check_options(options));
  KILN_CHECK(check_environment());
  std::shared_ptr<State> state(new State{options, Log(log_level(options), log_sink(options)), {}});
  state->folder =
      open_folder(options, [log = &state->log](const std::string &message) { log->warn("{}", message); });
  if (!state->folder)
    return usage_error("there is no cache folder: name one with SessionOptions::cache_dir or KILN_CACHE_DIR");
  return CacheFolder(std::move(state));
}

const std::string &CacheFolder::path() const { return state_->folder->options().path; }
uint64_t CacheFolder::budget() const { return state_->folder->options().budget; }
bool CacheFolder::is_usable() const { return state_->folder->is_usable(); }

bool CacheFolder::exists() const {
  std::error_code unknown;
  return std::filesystem::exists(path(), unknown);
}

Result<void> CacheFolder::check_usable() const {
  if (!exists() || is_usable() || is_empty_folder(path())) return {};
  return machine_error(fmt::format("the cache folder {} cannot be used", path()),
                       "it is no folder, not readable, or refused since others can write to it");
}

Result<CacheStatistics> CacheFolder::statistics() const {
  KILN_CHECK(check_usable());
  CacheStatistics statistics;
  int64_t oldest = 0;
  for (const auto &entry : state_->folder->list()) {
    statistics.entries++;
    statistics.bytes += entry.bytes;
    oldest = oldest ? std::min(oldest, entry.used) : entry.used;
  }
  const FolderStore::Counts counts = state_->folder->counts();
  statistics.hits = counts.hits;
  statistics.misses = counts.misses;
  auto made = [&](MissCause cause) { return counts.made[size_t(cause)]; };
  statistics.made = {made(MissCause::NewCode), made(MissCause::ChangedCallees), made(MissCause::OtherOptions),
                     made(MissCause::OtherDeviceLibrary), made(MissCause::NewText)};
  if (oldest) statistics.oldest_use = time_point_of(oldest);
  return statistics;
}

Result<void> CacheFolder::reset_statistics() const {
  KILN_CHECK(check_usable());
  if (!is_usable() || state_->folder->reset_counts()) return {};
  return machine_error(fmt::format("the cache folder {} cannot be written to", path()));
}

Result<CacheSweep> CacheFolder::sweep() const {
  KILN_CHECK(check_usable());
  return sweep_to(*state_->folder, budget());
}

Result<CacheSweep> CacheFolder::clear() const {
  KILN_CHECK(check_usable());
  return sweep_to(*state_->folder, 0);
}

Result<VerifyReport> CacheFolder::verify(size_t sample) const {
  return verified(*this, *state_, [&] { return verify_texts(*state_->folder, state_->options, sample); });
}

Result<VerifyReport> CacheFolder::verify(std::span<const PrecompileJob> jobs, size_t sample) const {
  return verified(*this, *state_,
                  [&] { return verify_jobs(*state_->folder, jobs, state_->options, sample); });
}

} // namespace kiln
