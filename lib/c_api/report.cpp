// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timings and counters.
#include "session_call.h"

#include <kiln/c_tools.h>

using namespace kiln;
using namespace kiln::c;

namespace {

/// Scope of a timing that C code measures. It must end before its session is released.
struct TimingScopeObject : Object {
  static constexpr HandleKind kind = HandleKind::TimingScope;
  TimingScopeObject(Kept<SessionObject> of, const char *stage_name, const char *job_name)
      : session(std::move(of)) {
    if (job_name) job.emplace(session->session->time_job(job_name));
    stage.emplace(session->session->time(stage_name));
  }
  ~TimingScopeObject() override {
    stage.reset();
    job.reset();
  }
  Kept<SessionObject> session;
  std::optional<TimingScope> job, stage;
};

} // namespace

extern "C" {

int kiln_timings(kiln_session *session, const char *form, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_timings", text);
    KILN_PIN(SessionObject, object, session);
    KILN_CHECK(object->session->check());
    std::string_view wanted = form ? form : "table";
    if (wanted == "table") return give_text(text, object->session->timings().table());
    if (wanted == "short") return give_text(text, object->session->timings().short_table());
    if (wanted == "json") return give_text(text, object->session->timings().json());
    if (wanted == "html") return give_text(text, object->session->timings().html());
    if (wanted == "trace") return give_text(text, object->session->trace());
    if (wanted == "otlp") return give_text(text, object->session->spans());
    return usage_error(
        fmt::format("timings come as table, short, json, html, trace or otlp, not `{}`", wanted));
  });
}

int kiln_timings_start(kiln_session *session, int trace_events, int passes, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_CHECK(object->session->check());
    object->session->start_timings({.trace_events = trace_events != 0, .passes = passes != 0});
    return {};
  });
}

int kiln_timings_start_with(kiln_session *session, const kiln_timing_options *options, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_timings_start_with", options);
    KILN_TRY(const kiln_timing_options given, read_struct(options, "kiln_timing_options"));
    KILN_CHECK(object->session->check());
    object->session->start_timings({.trace_events = given.trace_events != 0,
                                    .passes = given.passes != 0,
                                    .since = given.since,
                                    .kernels = given.kernels != 0});
    return {};
  });
}

int kiln_timings_send_spans(kiln_session *session, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    return object->session->send_spans();
  });
}

int kiln_timings_stop(kiln_session *session, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_CHECK(object->session->check());
    object->session->stop_timings();
    return {};
  });
}

int kiln_timings_reset(kiln_session *session, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_CHECK(object->session->check());
    object->session->reset_timings();
    return {};
  });
}

int kiln_timings_begin(kiln_session *session, const char *stage, const char *job, kiln_timing_scope **out,
                       kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_timings_begin", out);
    KILN_KEEP(SessionObject, object, session);
    KILN_NOT_NULL("kiln_timings_begin", stage);
    return give<TimingScopeObject>(out, std::move(object), stage, job);
  });
}

void kiln_timings_end(kiln_timing_scope *scope) { free_handle(HandleKind::TimingScope, scope); }

int kiln_session_counters(const kiln_session *session, kiln_counters *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_session_counters", out);
    KILN_PIN(SessionObject, object, session);
    Session::Counters c = object->session->counters();
    return write_struct(out,
                        {.struct_size = 0,
                         .compiled = c.compiled,
                         .hits = c.hits,
                         .waits = c.waits,
                         .inferred = c.inferred,
                         .inference_hits = c.inference_hits,
                         .artifact_bytes = c.artifact_bytes,
                         .artifacts_evicted = c.artifacts_evicted,
                         .inference_bytes = c.inference_bytes,
                         .inferred_dropped = c.inferred_dropped,
                         .disk_hits = c.disk_hits,
                         .disk_misses = c.disk_misses,
                         .edge_hits = c.edge_hits,
                         .edge_misses = c.edge_misses,
                         .damaged = c.damaged,
                         .llvm_contexts = c.llvm_contexts,
                         .assembled = c.assembled,
                         .merged = c.merged,
                         .quick = c.quick,
                         .swapped = c.swapped,
                         .coarsened = c.coarsened,
                         .remote_requests = c.remote_requests,
                         .remote_hits = c.remote_hits,
                         .remote_misses = c.remote_misses,
                         .remote_errors = c.remote_errors,
                         .remote_late = c.remote_late,
                         .remote_published = c.remote_published,
                         .remote_missing = c.remote_missing,
                         .remote_joined = c.remote_joined,
                         .remote_compiled = c.remote_compiled,
                         .store_leases = c.store_leases,
                         .store_waits = c.store_waits,
                         .store_entries = c.store_entries,
                         .store_bytes = c.store_bytes},
                        "kiln_counters");
  });
}
}
