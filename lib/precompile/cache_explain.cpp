// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains why the cache has no artifact for a job: the most similar entry, its differences, and the cost of
// the miss.
#include "cache_state.h"

#include <session/session.h>
#include <support/guard_target.h>
#include <support/read_number.h>

#include <algorithm>
#include <chrono>

namespace kiln {

namespace {

constexpr size_t max_changes = 8;                 ///< named per job
constexpr std::string_view edges_field = "edges"; ///< names an entry's edge record; not part of its key

class Clock {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  }

private:
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

class Explainer {
public:
  Explainer(JobService &jobs, const std::shared_ptr<FolderStore> &folder,
            const std::shared_ptr<FolderStore> &shared)
      : jobs_(jobs), folders_{folder.get()}, store_(folder) {
    if (!shared) return;
    folders_.push_back(shared.get());
    store_ = std::make_shared<StackedStore>(folder, shared);
  }

  Result<CacheExplanation> explain(const CompilerJob &job, ArtifactKind product) {
    const ArtifactKind kind = product == ArtifactKind::Cubin ? ArtifactKind::Assembly : product;
    KILN_TRY(auto key, jobs_.explain_key(job, kind));
    const OpenedEntry opened = read_stored_entry(*store_, key.key);
    CacheExplanation explanation;
    explanation.key = key.key.hex();
    explanation.is_hit = opened.artifact.has_value();
    ObjectCache::ArtifactPtr text;
    if (explanation.is_hit) {
      explanation.compile_ms = opened.artifact->note.compile_ms;
      text = std::make_shared<const Artifact>(opened.artifact->artifact);
    } else {
      explanation.is_other_entry = opened.content.has_value();
      explanation.nearest = nearest_to(job, key.fields);
      const Clock clock;
      KILN_TRY(text, jobs_.compile(job, kind));
      explanation.compile_ms = clock.milliseconds();
    }
    explanation.bytes = text->bytes.size();
    if (product == ArtifactKind::Cubin) explanation.cubin = explain_cubin(job, *text);
    return explanation;
  }

private:
  JobService &jobs_;
  std::vector<FolderStore *> folders_; ///< the cache folder, and the shared folder below it
  std::shared_ptr<BlobStore> store_;   ///< a stack of both folders, as in a session

  /// A stored artifact, and its differences from the job. The search finds the one with the smallest
  /// distance. A different function or different arguments weigh most.
  struct Candidate {
    EntryNote note;
    std::vector<KeyField> differences; ///< each field with the candidate's value
    size_t distance = ~size_t(0);
  };

  static std::optional<Candidate> compare(const EntryNote &note, const std::vector<KeyField> &wanted) {
    auto has = [&](std::string_view name) {
      return std::ranges::find(note.fields, name, &KeyField::name) != note.fields.end();
    };
    if (!has("function")) return std::nullopt; // a cubin: only its text can be compared
    Candidate candidate{note, {}, 0};
    for (const KeyField &field : wanted) {
      const std::string_view other = field_value(note.fields, field.name);
      if (other == field.value || field.name == edges_field || !has(field.name))
        continue; // another target has other options
      candidate.distance += field.name == "function"    ? 1000
                            : field.name == "arguments" ? 100
                            : field.name == "product"   ? 50
                                                        : 1;
      candidate.differences.push_back({field.name, std::string(other)});
    }
    return candidate;
  }

  std::optional<CacheExplanation::Nearest> nearest_to(const CompilerJob &job,
                                                      const std::vector<KeyField> &wanted) {
    std::vector<FolderStore::EntryFile> entries;
    for (FolderStore *folder : folders_)
      for (const auto &entry : folder->list()) entries.push_back(entry);
    Candidate nearest;
    for (const auto &entry : entries) {
      const OpenedEntry opened = read_stored_entry(*store_, entry.key);
      if (!opened.artifact) continue;
      std::optional<Candidate> candidate = compare(opened.artifact->note, wanted);
      if (candidate && candidate->distance < nearest.distance) nearest = std::move(*candidate);
    }
    if (nearest.distance == ~size_t(0)) return std::nullopt;
    return CacheExplanation::Nearest{std::string(field_value(nearest.note.fields, "function")),
                                     std::string(field_value(nearest.note.fields, "arguments")),
                                     nearest.note.compile_ms, describe_differences(job, nearest, wanted)};
  }

  /// Describes in words what differs between the job and the nearest entry, and where. Digests would say
  /// nothing to a reader.
  std::vector<std::string> describe_differences(const CompilerJob &job, const Candidate &nearest,
                                                const std::vector<KeyField> &wanted) {
    const bool positions = job.config.debug_level >= 1;
    std::vector<std::string> texts;
    bool is_source = false, is_callees = false;
    for (const auto &[name, there] : nearest.differences) {
      const std::string_view here = field_value(wanted, name);
      if (name == "source")
        is_source = true;
      else if (name == "callees")
        is_callees = true;
      else if (name != "types and facts")
        texts.push_back(fmt::format("{}: {} there, {} here", name,
                                    there.empty() ? "nothing" : std::string_view(there),
                                    here.empty() ? "nothing" : here));
    }
    const bool is_other_function =
        field_value(nearest.note.fields, "function") != field_value(wanted, "function") ||
        field_value(nearest.note.fields, "arguments") != field_value(wanted, "arguments");
    if (is_other_function) return texts; // the code of another function differs anyway
    if (is_source)
      texts.push_back(
          fmt::format("source: the code of {} itself is another", field_value(wanted, "function")));
    if (!is_callees) return texts;
    std::vector<std::string> changes;
    if (auto at = read_fingerprint(field_value(nearest.note.fields, edges_field)))
      if (OpenedEntry record = read_stored_entry(*store_, *at); record.content)
        changes = explain_edges(jobs_.definitions().world(), *record.content, jobs_.facts_of(job), job.world,
                                positions);
    for (size_t i = 0; i < std::min(changes.size(), max_changes); i++)
      texts.push_back(fmt::format("callees: {}", changes[i]));
    if (changes.size() > max_changes)
      texts.push_back(fmt::format("callees: {} more", changes.size() - max_changes));
    if (changes.empty() && !is_source)
      texts.push_back(
          positions
              ? "callees: a place is another, of this function or of what it calls: file, line or column (at -g0 they do not count)"
              : "callees: what it reaches is another");
    return texts;
  }

  CacheExplanation::Cubin explain_cubin(const CompilerJob &job, const Artifact &text) {
    const AssembledKeys keys = jobs_.assembled_keys(job.config, text);
    CacheExplanation::Cubin explanation;
    explanation.key = keys.exact.hex();
    OpenedEntry cubin = read_stored_entry(*store_, keys.exact);
    explanation.is_hit = cubin.artifact.has_value();
    if (explanation.is_hit) {
      explanation.bytes = cubin.artifact->artifact.bytes.size();
      explanation.assembler = cubin.artifact->artifact.assembler;
      explanation.assemble_ms = cubin.artifact->note.compile_ms;
      return explanation;
    }
    explanation.assembler = keys.assembler;
    if (cubin = read_stored_entry(*store_, keys.any); cubin.artifact) {
      explanation.other_assembler = cubin.artifact->artifact.assembler;
      return explanation;
    }
    const Clock clock;
    auto assembled = jobs_.compile(job, ArtifactKind::Cubin);
    if (!assembled.ok()) {
      explanation.not_assembled = assembled.error().diagnostics()[0].message;
      return explanation;
    }
    explanation.assemble_ms = clock.milliseconds();
    explanation.bytes = (*assembled)->bytes.size();
    return explanation;
  }
};

} // namespace

Result<CacheExplanation> CacheFolder::explain(Session &session, const Job &held, ArtifactKind product) const {
  const ComputingCall call(gate_of(session));
  KILN_CHECK(call.check());
  if (product < ArtifactKind::Assembly)
    return usage_error(
        "the cache keeps assembly, objects and cubins: there is nothing to explain of other products");
  const EnvironmentScope environment(state_->options.use_environment && gate_of(session).use_environment);
  JobService &jobs = jobs_of(session);
  auto use = jobs.use();
  KILN_TRY(const CompilerJob job, jobs.job_of(held));
  return guard_target(job.config, [&] {
    return Explainer(jobs, state_->folder, open_shared_folder(state_->options, {})).explain(job, product);
  });
}

} // namespace kiln
