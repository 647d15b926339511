// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the C functions that manage a cache folder without a session, and records of tools.
#include "session_call.h"

#include <kiln/c_cache.h>
#include <kiln/cache.h>
#include <kiln/records.h>

using namespace kiln;
using namespace kiln::c;

namespace {

using CacheObject = Holder<HandleKind::Cache, CacheFolder>;

int sweep(const kiln_cache *cache, Result<CacheSweep> (CacheFolder::*drop)() const, kiln_folder_sweep *out,
          kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(CacheObject, object, cache);
    KILN_CHECK(check_out(out, "kiln_folder_sweep"));
    KILN_TRY(const CacheSweep done, (object->value.*drop)());
    if (!out) return {};
    return write_struct(out, {.struct_size = 0, .entries = done.entries, .dropped = done.dropped},
                        "kiln_folder_sweep");
  });
}

kiln_folder_archive archive_of(const CacheExport &done) {
  return {.struct_size = 0,
          .entries = done.entries,
          .without_cubin = done.without_cubin,
          .damaged = 0,
          .lost = 0,
          .is_cut_off = 0};
}

/// Calls `explain` with the explanation's members as C strings, which are valid during the call.
void show(const CacheExplanation &e, void (*explain)(const kiln_folder_explanation *, void *), void *user) {
  std::vector<const char *> differences;
  if (e.nearest)
    for (const std::string &difference : e.nearest->differences) differences.push_back(difference.c_str());
  const CacheExplanation::Nearest *near = e.nearest ? &*e.nearest : nullptr;
  const CacheExplanation::Cubin *cubin = e.cubin ? &*e.cubin : nullptr;
  const kiln_folder_explanation shown{
      .struct_size = sizeof(kiln_folder_explanation),
      .key = e.key.c_str(),
      .is_hit = e.is_hit,
      .is_other_entry = e.is_other_entry,
      .bytes = e.bytes,
      .compile_ms = e.compile_ms,
      .nearest_function = near ? near->function.c_str() : nullptr,
      .nearest_arguments = near ? near->arguments.c_str() : nullptr,
      .nearest_compile_ms = near ? near->compile_ms : 0,
      .differences = differences.data(),
      .difference_count = differences.size(),
      .cubin_key = cubin ? cubin->key.c_str() : nullptr,
      .cubin_is_hit = cubin && cubin->is_hit,
      .cubin_bytes = cubin ? cubin->bytes : 0,
      .assembler = cubin ? cubin->assembler.c_str() : "",
      .other_assembler = cubin ? cubin->other_assembler.c_str() : "",
      .assemble_ms = cubin ? cubin->assemble_ms : 0,
      .not_assembled = cubin ? cubin->not_assembled.c_str() : "",
  };
  explain(&shown, user);
}

} // namespace

extern "C" {

int kiln_cache_folder_path(const kiln_session_options *options, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_cache_folder_path", text);
    KILN_TRY(const SessionOptions read, read_session_options(options));
    return give_text(text, cache_folder_path(read));
  });
}

int kiln_cache_open(const kiln_session_options *options, kiln_cache **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_cache_open", out);
    KILN_TRY(const SessionOptions read, read_session_options(options));
    KILN_TRY(CacheFolder folder, CacheFolder::open(read));
    return give<CacheObject>(out, std::move(folder));
  });
}

void kiln_cache_free(kiln_cache *cache) { free_handle(HandleKind::Cache, cache); }

const char *kiln_cache_path(const kiln_cache *cache) {
  Pinned<CacheObject> object(cache);
  return object ? object->value.path().c_str() : "";
}

uint64_t kiln_cache_budget(const kiln_cache *cache) {
  Pinned<CacheObject> object(cache);
  return object ? object->value.budget() : 0;
}

int kiln_cache_exists(const kiln_cache *cache) {
  Pinned<CacheObject> object(cache);
  return object && object->value.exists();
}

int kiln_cache_check_usable(const kiln_cache *cache, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(CacheObject, object, cache);
    return object->value.check_usable();
  });
}

int kiln_cache_statistics(const kiln_cache *cache, kiln_folder_statistics *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_cache_statistics", out);
    KILN_PIN(CacheObject, object, cache);
    KILN_CHECK(check_out(out, "kiln_folder_statistics"));
    KILN_TRY(const CacheStatistics s, object->value.statistics());
    const auto oldest = s.oldest_use ? s.oldest_use->time_since_epoch() : std::chrono::seconds(0);
    return write_struct(out,
                        {.struct_size = 0,
                         .entries = s.entries,
                         .bytes = s.bytes,
                         .hits = s.hits,
                         .misses = s.misses,
                         .oldest_use = std::chrono::duration_cast<std::chrono::seconds>(oldest).count()},
                        "kiln_folder_statistics");
  });
}

int kiln_cache_sweep(const kiln_cache *cache, kiln_folder_sweep *out, kiln_error **error) {
  return sweep(cache, &CacheFolder::sweep, out, error);
}

int kiln_cache_clear(const kiln_cache *cache, kiln_folder_sweep *out, kiln_error **error) {
  return sweep(cache, &CacheFolder::clear, out, error);
}

int kiln_cache_export(const kiln_cache *cache, const char *file, kiln_folder_archive *out,
                      kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(CacheObject, object, cache);
    KILN_NOT_NULL("kiln_cache_export", file);
    KILN_CHECK(check_out(out, "kiln_folder_archive"));
    KILN_TRY(const CacheExport done, object->value.export_to(file));
    if (!out) return {};
    return write_struct(out, archive_of(done), "kiln_folder_archive");
  });
}

int kiln_cache_export_image(const kiln_cache *cache, const char *folder, kiln_folder_archive *out,
                            kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(CacheObject, object, cache);
    KILN_NOT_NULL("kiln_cache_export_image", folder);
    KILN_CHECK(check_out(out, "kiln_folder_archive"));
    KILN_TRY(const CacheExport done, object->value.export_image(folder));
    if (!out) return {};
    return write_struct(out, archive_of(done), "kiln_folder_archive");
  });
}

int kiln_cache_import(const kiln_cache *cache, const char *file, kiln_folder_archive *out,
                      kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(CacheObject, object, cache);
    KILN_NOT_NULL("kiln_cache_import", file);
    KILN_CHECK(check_out(out, "kiln_folder_archive"));
    KILN_TRY(const CacheImport done, object->value.import_from(file));
    if (!out) return {};
    return write_struct(out,
                        {.struct_size = 0,
                         .entries = done.entries,
                         .without_cubin = 0,
                         .damaged = done.damaged,
                         .lost = done.lost,
                         .is_cut_off = done.is_cut_off},
                        "kiln_folder_archive");
  });
}

int kiln_cache_verify(const kiln_cache *cache, const kiln_job_list *jobs, size_t sample,
                      kiln_folder_check *out, void (*found)(const char *what, const char *text, void *user),
                      void *user, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(CacheObject, object, cache);
    KILN_CHECK(check_out(out, "kiln_folder_check"));
    VerifyReport report;
    if (jobs) {
      KILN_PIN(JobListObject, list, jobs);
      KILN_TRY(report, object->value.verify(list->value.jobs, sample));
    } else {
      KILN_TRY(report, object->value.verify(sample));
    }
    auto show_all = [&](const char *what, const std::vector<std::string> &texts) {
      for (const std::string &text : texts) found(what, text.c_str(), user);
    };
    if (found) {
      show_all("damaged", report.damaged);
      show_all("wrong", report.wrong);
      show_all("unable", report.unable);
    }
    if (!out) return {};
    return write_struct(out,
                        {.struct_size = 0,
                         .entries = report.entries,
                         .artifacts = report.artifacts,
                         .damaged = report.damaged.size(),
                         .checked = report.checked,
                         .wrong = report.wrong.size(),
                         .unable = report.unable.size(),
                         .absent = report.absent,
                         .without_text = report.without_text,
                         .others = report.others},
                        "kiln_folder_check");
  });
}

int kiln_cache_explain(const kiln_cache *cache, kiln_session *session, const kiln_job *job,
                       const char *product,
                       void (*explain)(const kiln_folder_explanation *explanation, void *user), void *user,
                       kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(CacheObject, object, cache);
    KILN_PIN(SessionObject, in, session);
    KILN_PIN(JobObject, explained, job);
    KILN_NOT_NULL("kiln_cache_explain", explain);
    KILN_TRY(const ArtifactKind kind, read_stage(product ? product : "asm"));
    KILN_TRY(const CacheExplanation explanation, object->value.explain(*in->session, explained->value, kind));
    show(explanation, explain, user);
    return {};
  });
}

int kiln_keeps_records(kiln_session *session) {
  Pinned<SessionObject> object(session);
  return object && object->session->check().ok() && keeps_records(*object->session);
}

int kiln_find_record(kiln_session *session, const char *name, char **text, size_t *size, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (size) *size = 0;
    KILN_OUT("kiln_find_record", text);
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_find_record", name);
    KILN_CHECK(object->session->check());
    const std::optional<std::string> found = find_record(*object->session, name);
    if (!found) return {};
    KILN_CHECK(give_text(text, *found));
    if (size) *size = found->size();
    return {};
  });
}

int kiln_keep_record(kiln_session *session, const char *name, const char *text, size_t size, int waits,
                     kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_keep_record", name);
    if (size) KILN_NOT_NULL("kiln_keep_record", text);
    KILN_CHECK(object->session->check());
    keep_record(*object->session, name, std::string(text ? text : "", size), waits != 0);
    return {};
  });
}

int kiln_drop_record(kiln_session *session, const char *name, const char *reason, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_drop_record", name);
    KILN_CHECK(object->session->check());
    drop_record(*object->session, name, input_error(text_or_empty(reason)));
    return {};
  });
}
}
