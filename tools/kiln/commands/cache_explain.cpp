// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache explain: is a job in the folder? If not, which entry comes nearest, what differs, and what does
// the miss cost?
#include "../call.h"
#include "../manifest.h"
#include "../output.h"
#include "../with_session.h"
#include "cache_entries.h"

#include <session/session.h>
#include <targets/targets.h>

#include <chrono>

namespace kiln::tool {

namespace {

constexpr size_t max_changes = 8; ///< that are named of one job
constexpr std::string_view edges_field =
    "edges"; ///< where the record of an entry's edges lies: is not part of its key

std::string value_of(const std::vector<KeyField> &fields, std::string_view name) {
  for (const KeyField &field : fields)
    if (field.name == name) return field.value;
  return {};
}

std::optional<Fingerprint> fingerprint_from(std::string_view hex) {
  Fingerprint f;
  if (hex.size() != 32) return std::nullopt;
  for (size_t i = 0; i < 32; i++) {
    size_t digit = std::string_view("0123456789abcdef").find(hex[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    uint64_t &half = i < 16 ? f.high : f.low;
    half = half << 4 | digit;
  }
  return f;
}

/// Which recorded artifact differs least from a job, function and arguments first.
struct Nearest {
  EntryNote note;
  std::vector<KeyField> differences; ///< the field, and its value there
  size_t distance = ~size_t(0);
};
/// The folder, and the shared one below it: what a session looks at.
struct Folders {
  std::vector<FolderStore *> each;
  std::shared_ptr<BlobStore> store;
};

Nearest nearest_to(const Folders &folders, const std::vector<KeyField> &wanted) {
  Nearest nearest;
  std::vector<FolderStore::EntryFile> entries;
  for (FolderStore *folder : folders.each)
    for (const auto &entry : folder->list()) entries.push_back(entry);
  for (const auto &entry : entries) {
    Opened opened = open_entry_of(*folders.store, entry.key);
    if (!opened.artifact) continue;
    const EntryNote &note = opened.artifact->note;
    auto has = [&](std::string_view name) {
      return std::ranges::find(note.fields, name, &KeyField::name) != note.fields.end();
    };
    if (!has("function")) continue; // a cubin: its text is what is looked for
    size_t distance = 0;
    std::vector<KeyField> differences;
    for (const KeyField &field : wanted) {
      std::string other = value_of(note.fields, field.name);
      if (other == field.value || field.name == edges_field || !has(field.name))
        continue; // another target has other options
      distance += field.name == "function"    ? 1000
                  : field.name == "arguments" ? 100
                  : field.name == "product"   ? 50
                                              : 1;
      differences.push_back({field.name, other});
    }
    if (distance < nearest.distance) nearest = {note, std::move(differences), distance};
  }
  return nearest;
}

/// Digests say nothing to people: what they are of, and what in it has changed.
std::string describe_differences(JobService &jobs, const Folders &folders, const CompilerJob &job,
                                 const Nearest &nearest, const std::vector<KeyField> &wanted) {
  const bool positions = job.config.debug_level >= 1;
  std::string out;
  bool is_source = false, is_callees = false;
  for (const auto &[name, there] : nearest.differences) {
    if (name == "source")
      is_source = true;
    else if (name == "callees")
      is_callees = true;
    else if (name != "types and facts")
      out += fmt::format("  {}: {} there, {} here\n", name, there.empty() ? "nothing" : there,
                         value_of(wanted, name).empty() ? "nothing" : value_of(wanted, name));
  }
  bool is_other_function = value_of(nearest.note.fields, "function") != value_of(wanted, "function") ||
                           value_of(nearest.note.fields, "arguments") != value_of(wanted, "arguments");
  if (is_other_function) return out; // of course its code is another
  if (is_source)
    out += fmt::format("  source: the code of {} itself is another\n", value_of(wanted, "function"));
  if (!is_callees) return out;
  std::vector<std::string> changes;
  if (auto at = fingerprint_from(value_of(nearest.note.fields, edges_field)))
    if (Opened record = open_entry_of(*folders.store, *at); record.content)
      changes = explain_edges(jobs.definitions().world(), *record.content, jobs.facts_of(job), job.world,
                              positions);
  for (size_t i = 0; i < std::min(changes.size(), max_changes); i++)
    out += fmt::format("  callees: {}\n", changes[i]);
  if (changes.size() > max_changes) out += fmt::format("  callees: {} more\n", changes.size() - max_changes);
  if (changes.empty() && !is_source)
    out +=
        positions
            ? "  callees: a place is another, of this function or of what it calls: file, line or column (at -g0 they do not count)\n"
            : "  callees: what it reaches is another\n";
  return out;
}

Result<std::string> explain_job(JobService &jobs, const Folders &folders, const CompilerJob &job,
                                ArtifactKind product) {
  const ArtifactKind kind = product == ArtifactKind::Cubin ? ArtifactKind::Assembly : product;
  KILN_TRY(auto told, jobs.explain_key(job, kind));
  Opened opened = open_entry_of(*folders.store, told.key);
  std::string out = fmt::format("key: {}\n", told.key.hex());
  ObjectCache::ArtifactPtr text;
  if (opened.artifact) {
    out += fmt::format("hit: {} bytes, which took {:.2f} ms to compile\n",
                       opened.artifact->artifact.bytes.size(), opened.artifact->note.compile_ms);
    text = std::make_shared<const Artifact>(opened.artifact->artifact);
  } else {
    out += opened.content ? "miss: the entry holds something else\n" : "miss\n";
    Nearest nearest = nearest_to(folders, told.fields);
    if (nearest.distance == ~size_t(0))
      out += "nearest: none, the folder holds no artifact\n";
    else {
      out += fmt::format("nearest: {}({}), which took {:.2f} ms to compile\n",
                         value_of(nearest.note.fields, "function"),
                         value_of(nearest.note.fields, "arguments"), nearest.note.compile_ms);
      out += describe_differences(jobs, folders, job, nearest, told.fields);
    }
    const auto began = std::chrono::steady_clock::now();
    KILN_TRY(text, jobs.compile(job, kind));
    out += fmt::format(
        "cost of the miss: {:.2f} ms, compiled now\n",
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
  }
  if (product != ArtifactKind::Cubin) return out;

  const AssembledKeys keys = jobs.assembled_keys(job.config, *text);
  Opened cubin = open_entry_of(*folders.store, keys.exact);
  out += fmt::format("cubin's key: {}\n", keys.exact.hex());
  if (cubin.artifact)
    return out + fmt::format("cubin: hit: {} bytes by {}, which took {:.2f} ms to assemble\n",
                             cubin.artifact->artifact.bytes.size(), cubin.artifact->artifact.assembler,
                             cubin.artifact->note.compile_ms);
  if (cubin = open_entry_of(*folders.store, keys.any); cubin.artifact)
    return out + fmt::format("cubin: miss\n  assembler: {} there, {} here\n",
                             cubin.artifact->artifact.assembler, keys.assembler);
  out += opened.artifact ? "cubin: miss: this text was never assembled into this folder\n"
                         : "cubin: miss: its text is new\n";
  const auto began = std::chrono::steady_clock::now();
  if (auto assembled = jobs.compile(job, ArtifactKind::Cubin); !assembled.ok())
    return out + fmt::format("cost of the miss: not known: {}\n", assembled.error().diagnostics()[0].message);
  return out +
         fmt::format(
             "cost of the miss: {:.2f} ms, assembled now\n",
             std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
}

/// Each run of jobs with the same files has a session.
Result<void> explain_list(const CommonOptions &common, const SessionOptions &opening, const std::string &path,
                          const Folders &folders) {
  if (!common.timings.empty())
    return usage_error("--timings is for a single session: a list has one for each set of files");
  KILN_TRY(PrecompileList list, read_manifest_or_trace(path));
  for (auto first = list.jobs.begin(); first != list.jobs.end();) {
    auto last = std::find_if(first, list.jobs.end(),
                             [&](const PrecompileJob &job) { return job.files != first->files; });
    KILN_CHECK(with_session(common, opening, [&](Session &session) -> Result<void> {
      JobService &jobs = jobs_of(session);
      KILN_CHECK(definitions_of(session).load_files(first->files));
      for (; first != last; first++) {
        auto use = jobs.use();
        KILN_TRY(CompilerJob job, jobs.job(*first));
        KILN_TRY(std::string text, explain_job(jobs, folders, job, first->product));
        KILN_CHECK(write_result({}, fmt::format("{}\n{}", describe(*first), text)));
      }
      return {};
    }));
  }
  return {};
}

Result<void> explain(const CommonOptions &common, const CompileOptions &options) {
  KILN_TRY(std::shared_ptr<FolderStore> folder, open_cache_folder(common));
  SessionOptions opening = common.session();
  const std::shared_ptr<FolderStore> shared = open_shared_folder(opening, {});
  Folders folders{{folder.get()}, folder};
  if (shared) folders = {{folder.get(), shared.get()}, std::make_shared<StackedStore>(folder, shared)};
  opening.cache_dir = opening.shared_cache_dir = opening.trace_jobs = ""; // it looks only
  if (options.inputs.size() == 1 && !options.inputs[0].ends_with(".jl"))
    return explain_list(common, opening, options.inputs[0], folders);
  if (options.inputs.size() < 2)
    return usage_error(
        "explain takes files and then a call: kiln cache explain FILE.jl... 'f(T1, T2)', or a manifest or trace");
  KILN_TRY(CompilerConfig config, options.config(/*kernel_by_default=*/true));
  CompileOptions wanted = options;
  if (wanted.emit.empty()) wanted.emit = capabilities_of(config.target).makes_objects ? "obj" : "asm";
  KILN_TRY(ArtifactKind kind, wanted.artifact(config.target));
  if (kind < ArtifactKind::Assembly)
    return usage_error("explain is for --emit asm, obj and cubin: others are not kept");
  return with_session(common, opening, [&](Session &session) -> Result<void> {
    KILN_CHECK(load_files(session, options.files()));
    JobService &jobs = jobs_of(session);
    auto use = jobs.use();
    Arguments arguments(session);
    KILN_TRY(const Job held, job_of_call(session, arguments, options, config));
    KILN_TRY(const CompilerJob job, jobs.job_of(held));
    KILN_TRY(std::string text, explain_job(jobs, folders, job, kind));
    return write_result({}, text);
  });
}

} // namespace

Action cache_explain_command(CLI::App &app) {
  struct Options {
    CommonOptions common;
    CompileOptions compile;
  };
  auto options = std::make_shared<Options>();
  options->common.add_to(app);
  options->common.add_packages_to(app);
  options->compile.add_inputs_to(app, "files, then the call; or a manifest or trace");
  options->compile.add_to(app);
  return [options] { return explain(options->common, options->compile); };
}

} // namespace kiln::tool
