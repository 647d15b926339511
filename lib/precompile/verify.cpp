// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that stored entries are what a compile makes today. Checksums show only that entries have not
// changed since they were written.
#include "verify.h"

#include "precompile.h"

#include <session/session.h>
#include <support/read_number.h>

#include <algorithm>
#include <map>

namespace kiln {

namespace {

template <class Number> bool read_into(std::string_view text, Number &field) {
  const auto number = read_number<Number>(text);
  if (number) field = *number;
  return number.has_value();
}

/// Reads a target option from the text in an entry's note. Arrays are written as "256,1,1".
Result<void> read_option(std::string_view text, TargetOptionPlace place) {
  const bool fits = std::visit(
      [&](auto *field) {
        using Field = std::remove_cvref_t<decltype(*field)>;
        if constexpr (std::is_same_v<Field, bool>)
          return *field = text == "true", text == "true" || text == "false";
        else if constexpr (std::is_same_v<Field, std::string>)
          return *field = text, true;
        else if constexpr (std::is_integral_v<Field>)
          return read_into(text, *field);
        else {
          for (uint32_t &item : *field) {
            const size_t comma = std::min(text.find(','), text.size());
            if (!read_into(text.substr(0, comma), item)) return false;
            text.remove_prefix(std::min(comma + 1, text.size()));
          }
          return text.empty();
        }
      },
      place);
  return fits ? Result<void>() : input_error(fmt::format("`{}` is no value of the option", text));
}

} // namespace

std::optional<TargetSpec> recorded_target(const std::vector<KeyField> &fields, const TargetList &targets) {
  auto target = targets.find(field_value(fields, "target"));
  if (!target.ok()) return std::nullopt;
  auto spec = (*target)->read_spec([&](std::string_view name, TargetOptionPlace place) {
    return read_option(field_value(fields, name), place);
  });
  return spec.ok() ? std::optional(std::move(*spec)) : std::nullopt;
}

namespace {

class Verifier {
public:
  Verifier(FolderStore &folder, const SessionOptions &session) : folder_(folder), session_(session) {
    session_.cache_dir = session_.shared_cache_dir = session_.trace_jobs = "";
    session_.remote.emplace();
    session_.compile =
        SessionOptions::CompileMode::Auto; // compile every job, so that results do not come from the folder
    session_.store = nullptr;
    session_.check_cache = false;
  }

  Result<VerifyReport> jobs(std::span<const PrecompileJob> jobs, size_t sample) {
    std::vector<const PrecompileJob *> order;
    for (const PrecompileJob &job : jobs) order.push_back(&job);
    std::stable_sort(order.begin(), order.end(),
                     [](auto *a, auto *b) { return identity_of(*a) < identity_of(*b); });
    order.resize(std::min(order.size(), sample));
    std::stable_sort(order.begin(), order.end(), [](auto *a, auto *b) {
      return a < b;
    }); // in the list's order: groups the jobs of a session
    std::unique_ptr<Session> session;
    const PrecompileJob *of = nullptr;
    for (const PrecompileJob *job : order) {
      if (!of || of->files != job->files || of->language != job->language) {
        KILN_TRY(session, open_session(*job, session_));
        of = job;
      }
      Result<void> done = check(jobs_of(*session), *job);
      if (!done.ok())
        report_.unable.push_back(fmt::format("{}: {}", job->call, done.error().diagnostics()[0].message));
    }
    return std::move(report_);
  }

  Result<VerifyReport> texts(size_t sample) {
    KILN_TRY(std::unique_ptr<Session> session, Session::open(session_));
    JobService &service = jobs_of(*session);
    TextIndex texts;
    std::vector<Fingerprint> merged;
    for (const auto &entry : folder_.list()) {
      std::optional<StoredArtifact> stored = read(entry.key);
      if (!stored) continue;
      if (is_merged(stored->note)) merged.push_back(entry.key);
      std::optional<CompilerConfig> config = assembled_config(stored->note, service.targets());
      if (!config) continue;
      texts[service.assembled_keys(*config, stored->artifact).any.hex()] = entry.key;
      if (report_.checked < sample) KILN_CHECK(check_assembled(service, *config, stored->artifact));
    }
    merged.resize(std::min(merged.size(), sample));
    for (Fingerprint key : merged) KILN_CHECK(check_merged(service, key, texts));
    return std::move(report_);
  }

private:
  /// Keys of stored assembly texts, by the text's digest that notes of cubins contain.
  using TextIndex = std::map<std::string, Fingerprint>;

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

  static bool is_merged(const EntryNote &note) {
    return !note.fields.empty() && note.fields[0].name == "kind" && note.fields[0].value == merged_cubin_kind;
  }

  /// Assembles a merged cubin again from the texts of all its kernels, in the order of its note, and
  /// compares.
  Result<void> check_merged(JobService &service, Fingerprint key, const TextIndex &texts) {
    const std::optional<StoredArtifact> stored = read(key);
    if (!stored) return {};
    std::vector<StoredArtifact> members;
    for (const KeyField &field : stored->note.fields) {
      if (&field == &stored->note.fields[0] || field.name == "assembler") continue;
      auto text = texts.find(field.value);
      std::optional<StoredArtifact> member = text == texts.end() ? std::nullopt : read(text->second);
      if (!member) {
        report_.without_text++;
        return {};
      }
      members.push_back(std::move(*member));
    }
    std::optional<CompilerConfig> config =
        members.empty() ? std::nullopt : assembled_config(members[0].note, service.targets());
    if (!config) return {};
    const Target &target = service.targets().of(config->target);
    if (service.assembled_keys(*config, members[0].artifact).assembler != stored->artifact.assembler) {
      report_.others++;
      return {};
    }
    std::vector<AssemblerInput> inputs;
    for (const StoredArtifact &member : members)
      inputs.push_back({member.artifact.entry, member.artifact.bytes});
    KILN_TRY(const Assembler *assembler, service.assemblers().of(target));
    Result<MergedObject> made = assembler->assemble_merged(*config, inputs, service.definitions().sources());
    report_.checked++;
    if (!made.ok() || made->bytes != stored->artifact.bytes)
      wrong(key, fmt::format("the cubin of {} and {} more: it is not what {} makes of their texts",
                             members[0].artifact.entry, members.size() - 1, stored->artifact.assembler));
    return {};
  }

  void wrong(Fingerprint key, std::string what) {
    report_.wrong.push_back(fmt::format("{} (entry {})", what, key.hex()));
    folder_.put({Blob{key, {}}}, StoreClock::now() + std::chrono::seconds(10));
  }

  Result<void> check(JobService &service, const PrecompileJob &wanted) {
    auto use = service.use();
    KILN_TRY(CompilerJob job, service.job(wanted));
    const ArtifactKind kind = wanted.product == ArtifactKind::Cubin ? ArtifactKind::Assembly : wanted.product;
    KILN_TRY(auto told, service.explain_key(job, kind));
    std::optional<StoredArtifact> stored = read(told.key);
    if (!stored) {
      report_.absent++;
      return {};
    }
    KILN_TRY(ObjectCache::ArtifactPtr made, service.compile(job, kind));
    if (made->device_library != stored->artifact.device_library) {
      report_.others++; // a valid entry, made with another device library
      return {};
    }
    report_.checked++;
    if (made->session_bound || artifact_content(*made, {}) != artifact_content(stored->artifact, {})) {
      wrong(told.key, fmt::format("{}: {} bytes are kept, and a compile gives {}{}", wanted.call,
                                  stored->artifact.bytes.size(), made->bytes.size(),
                                  made->bytes.size() == stored->artifact.bytes.size() ? " others" : ""));
      return {};
    }
    return wanted.product == ArtifactKind::Cubin && !has_device_code(job.config)
               ? check_assembled(service, job.config, *made)
               : Result<void>();
  }

  /// Restores the config options that an assembler uses from the note of an assembly text. Empty: the entry
  /// is no GPU text, or its job has linked files, which the entry does not contain.
  static std::optional<CompilerConfig> assembled_config(const EntryNote &note, const TargetList &targets) {
    std::map<std::string_view, std::string_view> fields;
    for (const KeyField &field : note.fields) fields.emplace(field.name, field.value);
    auto found = targets.find(fields["target"]);
    const Target *target = found.ok() ? *found : nullptr;
    if (!target || fields["target_version"] != target->version() || fields["product"] != "asm" ||
        fields["linked"] != "0")
      return std::nullopt;
    CompilerConfig config;
    std::optional<TargetSpec> spec = recorded_target(note.fields, targets);
    if (!spec || !target->capabilities(*spec).makes_cubins) return std::nullopt;
    config.target = std::move(*spec);
    for (auto [name, field] :
         {std::pair{"opt_level", &config.opt_level}, {"debug_level", &config.debug_level}})
      if (!read_into(fields[name], *field)) return std::nullopt;
    config.strip = fields["strip"] == "true";
    return config;
  }

  Result<void> check_assembled(JobService &service, const CompilerConfig &config, const Artifact &text) {
    const Target &target = service.targets().of(config.target);
    const AssembledKeys keys = service.assembled_keys(config, text);
    std::optional<StoredArtifact> stored = read(keys.exact);
    if (keys.assembler.empty()) return {};
    if (!stored) {
      report_.others += read(keys.any).has_value(); // of another assembler
      return {};
    }
    KILN_TRY(const Assembler *assembler, service.assemblers().of(target));
    Result<AssembledObject> made =
        assembler->assemble(config, text.entry, text.bytes, service.definitions().sources());
    report_.checked++;
    if (!made.ok())
      wrong(keys.exact, fmt::format("the cubin of {}: its text cannot be assembled", text.entry));
    else if (made->bytes != stored->artifact.bytes)
      wrong(keys.exact,
            fmt::format("the cubin of {}: it is not what {} makes of its text", text.entry, keys.assembler));
    return {};
  }
};

} // namespace

Result<VerifyReport> verify_jobs(FolderStore &folder, std::span<const PrecompileJob> jobs,
                                 const SessionOptions &session, size_t sample) {
  return Verifier(folder, session).jobs(jobs, sample);
}
Result<VerifyReport> verify_texts(FolderStore &folder, const SessionOptions &session, size_t sample) {
  return Verifier(folder, session).texts(sample);
}

} // namespace kiln
