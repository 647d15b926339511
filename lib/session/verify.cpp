// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is what a folder holds what a compile gives? Checksums tell whether an entry is as it was written, not whether it was right.
#include "session.h"

#include <targets/targets.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace kiln {

namespace {

class Verifier {
public:
  Verifier(FolderStore &folder, const SessionOptions &session) : folder_(folder), session_(session) {
    session_.cache_dir = session_.shared_cache_dir = session_.trace_jobs = ""; // what is compared with the folder must not come from it
    session_.check_cache = false;
  }

  Result<VerifyReport> jobs(std::span<const PrecompileJob> jobs, size_t sample) {
    std::vector<const PrecompileJob *> order;
    for (const PrecompileJob &job : jobs) order.push_back(&job);
    std::stable_sort(order.begin(), order.end(), [](auto *a, auto *b) { return identity_of(*a) < identity_of(*b); });
    order.resize(std::min(order.size(), sample));
    std::stable_sort(order.begin(), order.end(), [](auto *a, auto *b) { return a < b; }); // those of one session together, as they are listed
    std::unique_ptr<Session> session;
    const PrecompileJob *of = nullptr;
    for (const PrecompileJob *job : order) {
      if (!of || of->files != job->files) {
        KILN_TRY(session, Session::open(session_));
        of = job;
        if (auto loaded = load_files_of(session->state(), job->files); !loaded.ok()) return loaded.take_error();
      }
      Result<void> done = check(session->state(), *job);
      if (!done.ok()) report_.unable.push_back(fmt::format("{}: {}", job->call, done.error().diagnostics()[0].message));
    }
    return std::move(report_);
  }

  Result<VerifyReport> texts(size_t sample) {
    KILN_TRY(std::unique_ptr<Session> session, Session::open(session_));
    for (const auto &entry : folder_.list()) {
      if (report_.checked >= sample) break;
      std::optional<StoredArtifact> stored = read(entry.key);
      std::optional<CompilerConfig> config = stored ? assembled_config(stored->note) : std::nullopt;
      if (config) KILN_CHECK(check_assembled(session->state(), *config, stored->artifact));
    }
    return std::move(report_);
  }

private:
  FolderStore &folder_;
  SessionOptions session_;
  VerifyReport report_;

  std::optional<StoredArtifact> read(Fingerprint key) {
    std::optional<std::string> bytes = get_blob(folder_, key);
    if (!bytes) return std::nullopt;
    Result<std::string> content = open_entry(key, *bytes);
    if (!content.ok()) return std::nullopt;
    Result<StoredArtifact> artifact = read_artifact(*content);
    return artifact.ok() ? std::optional(std::move(*artifact)) : std::nullopt;
  }

  void wrong(Fingerprint key, std::string what) {
    report_.wrong.push_back(fmt::format("{} (entry {})", what, key.hex()));
    folder_.put({Blob{key, {}}}, StoreClock::now() + std::chrono::seconds(10));
  }

  Result<void> check(Session::State &state, const PrecompileJob &wanted) {
    auto use = state.code.use();
    KILN_TRY(CompilerJob job, job_of(state, wanted));
    const Target &target = find_target(job.config.target.kind);
    const ArtifactKind kind = wanted.product == ArtifactKind::Cubin ? ArtifactKind::Assembly : wanted.product;
    KILN_TRY(auto told, state.driver.tell_key(job, target, kind));
    std::optional<StoredArtifact> stored = read(told.key);
    if (!stored) {
      report_.absent++;
      return {};
    }
    KILN_TRY(ObjectCache::ArtifactPtr made, state.compile(job, kind));
    if (made->device_library != stored->artifact.device_library) {
      report_.others++; // right, but not here
      return {};
    }
    report_.checked++;
    if (made->session_bound || artifact_content(*made, {}) != artifact_content(stored->artifact, {})) {
      wrong(told.key, fmt::format("{}: {} bytes are kept, and a compile gives {}{}", wanted.call, stored->artifact.bytes.size(), made->bytes.size(), made->bytes.size() == stored->artifact.bytes.size() ? " others" : ""));
      return {};
    }
    return wanted.product == ArtifactKind::Cubin && !has_device_code(job.config) ? check_assembled(state, job.config, *made) : Result<void>();
  }

  /// What of a config an assembler looks at, from the fields of a text's entry; none for what is no text of a GPU, or has
  /// linked files, which are not kept.
  static std::optional<CompilerConfig> assembled_config(const EntryNote &note) {
    std::map<std::string_view, std::string_view> fields;
    for (const KeyField &field : note.fields) fields.emplace(field.name, field.value);
    const Target &target = find_target(TargetKind::Ptx);
    if (fields["target"] != target.name() || fields["target_version"] != target.version() || fields["product"] != "asm" || fields["linked"] != "0") return std::nullopt;
    CompilerConfig config;
    config.target.kind = TargetKind::Ptx;
    for (auto [name, field] : {std::pair{"sm", &config.target.sm}, {"opt_level", &config.opt_level}, {"debug_level", &config.debug_level}}) {
      std::string_view text = fields[name];
      if (std::from_chars(text.data(), text.data() + text.size(), *field).ec != std::errc()) return std::nullopt;
    }
    config.target.arch_specific = fields["arch_specific"] == "true";
    config.strip = fields["strip"] == "true";
    return config;
  }

  Result<void> check_assembled(Session::State &state, const CompilerConfig &config, const Artifact &text) {
    const Target &target = find_target(TargetKind::Ptx);
    const Driver::AssembledKeys keys = state.driver.assembled_keys(config, text, target);
    std::optional<StoredArtifact> stored = read(keys.exact);
    if (keys.assembler.empty()) return {};
    if (!stored) {
      report_.others += read(keys.any).has_value(); // another assembler's
      return {};
    }
    KILN_TRY(const Assembler *assembler, state.assemblers.of(target));
    Result<AssembledObject> made = assembler->assemble(config, text.entry, text.bytes, state.sources);
    report_.checked++;
    if (!made.ok()) wrong(keys.exact, fmt::format("the cubin of {}: its text cannot be assembled", text.entry));
    else if (made->bytes != stored->artifact.bytes) wrong(keys.exact, fmt::format("the cubin of {}: it is not what {} makes of its text", text.entry, keys.assembler));
    return {};
  }
};

} // namespace

Result<VerifyReport> verify_jobs(FolderStore &folder, std::span<const PrecompileJob> jobs, const SessionOptions &session, size_t sample) { return Verifier(folder, session).jobs(jobs, sample); }
Result<VerifyReport> verify_texts(FolderStore &folder, const SessionOptions &session, size_t sample) { return Verifier(folder, session).texts(sample); }

} // namespace kiln
