// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/c_advise.h: returns advice reports as text and as JSON.
#include "c_advise.h"

#include <kiln/advise.h>
#include <kiln/c_advise.h>

using namespace kiln;
using namespace kiln::c;

namespace {

using Write = std::string (*)(const AdviceReport &);

Result<Write> writer_of(const char *form) {
  const std::string_view wanted = form ? form : "text";
  if (wanted == "text") return Write(advice_text);
  if (wanted == "json") return Write(advice_json);
  return usage_error(fmt::format("advice comes as text or json, not `{}`", wanted));
}

std::string table_of(const TimingReport &report) { return report.table(); }
std::string json_of(const TimingReport &report) { return report.json(); }
std::string html_of(const TimingReport &report) { return report.html(); }

Result<std::string (*)(const TimingReport &)> timings_writer_of(const char *form) {
  const std::string_view wanted = form ? form : "table";
  if (wanted == "table") return &table_of;
  if (wanted == "json") return &json_of;
  if (wanted == "html") return &html_of;
  return usage_error(fmt::format("timings with advice come as table, json or html, not `{}`", wanted));
}

} // namespace

extern "C" {

int kiln_advise(kiln_session *session, const char *text, const char *options_json, const char *form,
                char **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (!out) return null_argument("kiln_advise", "text");
    *out = nullptr;
    KILN_PIN(SessionObject, object, session);
    if (!text) return null_argument("kiln_advise", "call");
    KILN_TRY(const Write write, writer_of(form));
    KILN_TRY(CompilerConfig config, read_config(*object->session, options_json));
    KILN_TRY(const AdviceReport report, advise(*object->session, text, std::move(config)));
    return give_text(out, write(report));
  });
}

int kiln_job_advise(const kiln_job *job, kiln_session *session, const char *form, char **text,
                    kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_advise", text);
    KILN_PIN(JobObject, advised, job);
    KILN_PIN(SessionObject, object, session);
    KILN_TRY(const Write write, writer_of(form));
    KILN_TRY(const AdviceReport report, advise(*object->session, advised->value));
    return give_text(text, write(report));
  });
}

int kiln_timings_with_advice(kiln_session *session, const kiln_scope *jobs, const char *form, char **text,
                             kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_timings_with_advice", text);
    KILN_PIN(SessionObject, object, session);
    KILN_PIN(ScopeObject, scope, jobs);
    KILN_CHECK(object->session->check());
    KILN_TRY(auto *const write, timings_writer_of(form));
    TimingReport report = object->session->timings();
    KILN_CHECK(add_advice(*object->session, scope->value.jobs(), report));
    return give_text(text, write(report));
  });
}
}
