// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the C functions for job lists, and for precompiling them into a cache folder.
#include "session_call.h"

#include <kiln/c_cache.h>
#include <kiln/job_list.h>

using namespace kiln;
using namespace kiln::c;

namespace {

int read_list(const char *function, Result<PrecompileList> (*read)(const std::string &), const char *path,
              kiln_job_list **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT(function, out);
    KILN_NOT_NULL(function, path);
    KILN_TRY(PrecompileList list, read(path));
    return give<JobListObject>(out, std::move(list));
  });
}

Result<const PrecompileJob *> job_at(const PrecompileList &list, size_t index) {
  if (index < list.jobs.size()) return &list.jobs[index];
  return usage_error(fmt::format("the list has {} job{}, and the one with the index {} is asked for",
                                 list.jobs.size(), list.jobs.size() == 1 ? "" : "s", index));
}

Result<PrecompileJob> read_entry(const kiln_job_entry &given) {
  KILN_TRY(const kiln_job_entry read, read_struct(&given, "kiln_job_entry"));
  constexpr std::string_view function = "kiln_job_list_add";
  if (!read.call) return null_argument(function, "entry->call");
  if (read.file_count && !read.files) return null_argument(function, "entry->files");
  if (read.capture_count && !read.captures) return null_argument(function, "entry->captures");
  PrecompileJob job;
  job.call = read.call;
  job.hidden_argument = text_or_empty(read.hidden_argument);
  job.language = text_or_empty(read.language);
  for (size_t i = 0; i < read.file_count; i++) {
    if (!read.files[i]) return null_argument(function, fmt::format("entry->files[{}]", i));
    job.files.push_back({.name = read.files[i],
                         .folder = text_or_empty(read.folder),
                         .digest = "",
                         .language = job.language});
  }
  for (size_t i = 0; i < read.capture_count; i++) {
    if (!read.captures[2 * i] || !read.captures[2 * i + 1])
      return null_argument(function, fmt::format("entry->captures[{}]", 2 * i));
    job.captures.emplace_back(read.captures[2 * i], read.captures[2 * i + 1]);
  }
  if (read.options_json && *read.options_json) {
    KILN_TRY(job.config, kiln::read_config(read.options_json));
  }
  const bool is_for_cpu = job.config.target.name() == TargetSpec().name(); // the default target
  job.product = is_for_cpu ? ArtifactKind::Object : ArtifactKind::Cubin;
  if (read.product) {
    KILN_TRY(job.product, read_stage(read.product));
  }
  if (job.product < ArtifactKind::Assembly)
    return usage_error(fmt::format("kiln_job_entry.product is asm, obj or cubin, not `{}`", read.product));
  return job;
}

Result<PrecompileOptions> read_precompile_options(const kiln_precompile_options *given,
                                                  std::string &architectures) {
  PrecompileOptions options;
  if (!given) return options;
  KILN_TRY(kiln_precompile_options read, read_struct(given, "kiln_precompile_options"));
  KILN_TRY(options.session, read_session_options(read.session));
  options.threads = read.threads;
  options.merge = !read.no_merge;
  options.queue = text_or_empty(read.queue);
  if (read.queue_limit_seconds) options.queue_limit = std::chrono::seconds(read.queue_limit_seconds);
  if (read.architectures) architectures = read.architectures;
  if (read.progress)
    options.progress = [read](const PrecompileProgress &p) {
      read.progress(p.done, p.jobs, p.hits, p.failed, read.progress_user);
    };
  return options;
}

Result<void> precompile_jobs(std::span<const PrecompileJob> jobs, const PrecompileOptions &options,
                             kiln_precompile_report *report, PartErrors &errors, size_t skipped = 0) {
  KILN_TRY(PrecompileReport done, precompile(jobs, options));
  for (PrecompileReport::Failure &failure : done.failures) errors.add(failure.job, std::move(failure.error));
  if (!report) return {};
  return write_struct(report,
                      {.struct_size = 0,
                       .jobs = done.counts.jobs,
                       .hits = done.counts.hits,
                       .failed = done.counts.failed,
                       .not_kept = done.not_kept,
                       .not_assembled = done.not_assembled,
                       .missing = done.missing,
                       .made = done.made,
                       .skipped = skipped,
                       .elsewhere = done.counts.elsewhere,
                       .returned = done.counts.returned,
                       .alone = done.alone},
                      "kiln_precompile_report");
}

/// Implements a C function that makes a new job list from those jobs of `list` that `select` returns.
template <class F>
int derive(const char *function, const kiln_job_list *list, kiln_job_list **out, kiln_error **error,
           F &&select) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT(function, out);
    KILN_PIN(JobListObject, object, list);
    KILN_TRY(std::vector<PrecompileJob> jobs, select(object->value.jobs));
    return give<JobListObject>(out, PrecompileList{.jobs = std::move(jobs), .skipped = {}, .warnings = {}});
  });
}

/// Returns the text of element `index` of the list's member `all`; "" for an index past the end.
template <class T, class F>
const char *text_at(const kiln_job_list *list, std::vector<T> PrecompileList::*all, size_t index, F &&text) {
  Pinned<JobListObject> object(list);
  if (!object || index >= (object->value.*all).size()) return "";
  return text((object->value.*all)[index]).c_str();
}

} // namespace

extern "C" {

int kiln_read_manifest(const char *path, kiln_job_list **out, kiln_error **error) {
  return read_list("kiln_read_manifest", read_manifest, path, out, error);
}

int kiln_read_job_trace(const char *path, kiln_job_list **out, kiln_error **error) {
  return read_list(
      "kiln_read_job_trace", [](const std::string &p) { return read_job_trace(p); }, path, out, error);
}

int kiln_read_job_list(const char *path, kiln_job_list **out, kiln_error **error) {
  return read_list("kiln_read_job_list", read_job_list, path, out, error);
}

int kiln_job_list_new(kiln_job_list **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_list_new", out);
    return give<JobListObject>(out, PrecompileList());
  });
}

void kiln_job_list_free(kiln_job_list *list) { free_handle(HandleKind::JobList, list); }

int kiln_job_list_add(kiln_job_list *list, const kiln_job_entry *entry, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(JobListObject, object, list);
    KILN_NOT_NULL("kiln_job_list_add", entry);
    KILN_TRY(PrecompileJob job, read_entry(*entry));
    object->value.jobs.push_back(std::move(job));
    return {};
  });
}

size_t kiln_job_list_count(const kiln_job_list *list) {
  Pinned<JobListObject> object(list);
  return object ? object->value.jobs.size() : 0;
}

const char *kiln_job_list_call(const kiln_job_list *list, size_t job) {
  return text_at(list, &PrecompileList::jobs, job,
                 [](const PrecompileJob &j) -> const std::string & { return j.call; });
}

int kiln_job_list_describe(const kiln_job_list *list, size_t job, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_list_describe", text);
    KILN_PIN(JobListObject, object, list);
    KILN_TRY(const PrecompileJob *described, job_at(object->value, job));
    return give_text(text, describe(*described));
  });
}

size_t kiln_job_list_skipped_count(const kiln_job_list *list) {
  Pinned<JobListObject> object(list);
  return object ? object->value.skipped.size() : 0;
}

const char *kiln_job_list_skipped_call(const kiln_job_list *list, size_t skipped) {
  return text_at(list, &PrecompileList::skipped, skipped,
                 [](const PrecompileList::Skipped &s) -> const std::string & { return s.call; });
}

const char *kiln_job_list_skipped_reason(const kiln_job_list *list, size_t skipped) {
  return text_at(list, &PrecompileList::skipped, skipped,
                 [](const PrecompileList::Skipped &s) -> const std::string & { return s.why; });
}

size_t kiln_job_list_warning_count(const kiln_job_list *list) {
  Pinned<JobListObject> object(list);
  return object ? object->value.warnings.size() : 0;
}

const char *kiln_job_list_warning(const kiln_job_list *list, size_t warning) {
  return text_at(list, &PrecompileList::warnings, warning,
                 [](const std::string &w) -> const std::string & { return w; });
}

int kiln_job_list_shard(const kiln_job_list *list, unsigned index, unsigned count, kiln_job_list **out,
                        kiln_error **error) {
  return derive("kiln_job_list_shard", list, out, error,
                [&](const std::vector<PrecompileJob> &jobs) -> Result<std::vector<PrecompileJob>> {
                  if (index < 1 || index > count)
                    return usage_error(fmt::format("there is no shard {} of {}", index, count));
                  return shard_of(jobs, index, count);
                });
}

int kiln_shard_of_rank(unsigned count, unsigned *shard_index, unsigned *shard_count, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_shard_of_rank", shard_index);
    KILN_NOT_NULL("kiln_shard_of_rank", shard_count);
    KILN_TRY(const Shard shard, shard_of_rank(count));
    *shard_index = shard.index;
    *shard_count = shard.count;
    return {};
  });
}

int kiln_job_list_for_architectures(const kiln_job_list *list, const char *architectures, kiln_job_list **out,
                                    kiln_error **error) {
  return derive("kiln_job_list_for_architectures", list, out, error,
                [&](const std::vector<PrecompileJob> &jobs) -> Result<std::vector<PrecompileJob>> {
                  KILN_NOT_NULL("kiln_job_list_for_architectures", architectures);
                  return for_architectures(jobs, architectures);
                });
}

int kiln_job_list_open_session(const kiln_job_list *list, size_t job, const kiln_session_options *options,
                               kiln_session **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_list_open_session", out);
    KILN_PIN(JobListObject, object, list);
    KILN_TRY(const PrecompileJob *of, job_at(object->value, job));
    KILN_TRY(const SessionOptions read, read_session_options(options));
    KILN_TRY(std::unique_ptr<Session> session, open_session(*of, read));
    return give_session(out, std::move(session));
  });
}

const char *kiln_job_list_language(const kiln_job_list *list, size_t job) {
  Pinned<JobListObject> object(list);
  if (!object || job >= object->value.jobs.size()) return "";
  const std::string &language = object->value.jobs[job].language;
  return language.empty() ? "julia" : language.c_str();
}

int kiln_job_list_load_files(const kiln_job_list *list, size_t job, kiln_session *session,
                             kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(JobListObject, object, list);
    KILN_PIN(SessionObject, into, session);
    KILN_TRY(const PrecompileJob *loaded, job_at(object->value, job));
    return load_files(*into->session, loaded->files);
  });
}

int kiln_job_list_hold(const kiln_job_list *list, size_t job, kiln_session *session, kiln_job **out,
                       kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_list_hold", out);
    KILN_PIN(JobListObject, object, list);
    KILN_PIN(SessionObject, in, session);
    KILN_TRY(const PrecompileJob *entry, job_at(object->value, job));
    KILN_TRY(Job held, hold_job(*in->session, *entry));
    return give<JobObject>(out, std::move(held));
  });
}

int kiln_iteration_space(const char *group, const char *range, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_iteration_space", text);
    KILN_TRY(const std::string space, iteration_space(text_or_empty(group), text_or_empty(range)));
    return give_text(text, space);
  });
}

int kiln_precompile_list(const kiln_job_list *list, const kiln_precompile_options *given,
                         kiln_precompile_report *report, kiln_error **each, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(JobListObject, object, list);
    PartErrors errors(each, object->value.jobs.size());
    KILN_CHECK(check_out(report, "kiln_precompile_report"));
    std::string architectures;
    KILN_TRY(const PrecompileOptions options, read_precompile_options(given, architectures));
    if (!architectures.empty())
      return usage_error("kiln_precompile_list takes no architectures: kiln_job_list_for_architectures makes "
                         "the list for them");
    KILN_CHECK(precompile_jobs(object->value.jobs, options, report, errors));
    return errors.finish();
  });
}

int kiln_precompile(const char *trace_file, const kiln_precompile_options *given,
                    kiln_precompile_report *report, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_precompile", trace_file);
    std::string architectures;
    KILN_TRY(const PrecompileOptions options, read_precompile_options(given, architectures));
    KILN_CHECK(check_out(report, "kiln_precompile_report"));
    KILN_TRY(PrecompileList list, read_job_trace(trace_file));
    if (!architectures.empty()) {
      KILN_TRY(list.jobs, for_architectures(list.jobs, architectures));
    }
    PartErrors errors(nullptr, 0);
    KILN_CHECK(precompile_jobs(list.jobs, options, report, errors, list.skipped.size()));
    for (const std::string &warning : list.warnings) errors.add(0, input_error(warning));
    for (const PrecompileList::Skipped &job : list.skipped)
      errors.add(0,
                 input_error(fmt::format("{} cannot be repeated in another process: {}", job.call, job.why)));
    return errors.finish();
  });
}
}
