/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Advice in C: what makes a kernel slow, with the place in its source, and what to write instead.
 * kiln/advise.h documents the C++ form, docs/guide/advice.md each rule. Statuses, errors, handles, structures
 * and strings are as kiln/c.h says. A library built without advice lacks these functions: test
 * kiln_has_feature("advise").
 */
#ifndef KILN_C_ADVISE_H
#define KILN_C_ADVISE_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Advises on the job of a call. `form` is "text" (one line for each advice; also if null) or "json"
 * (advice_json of kiln/advise.h). *text is the caller's (kiln_text_free). Only the JSON lists rules that
 * could not run. Errors: those of kiln_compile; KILN_USAGE for a job without debug information or without
 * optimisation. */
KILN_C_API int kiln_advise(kiln_session *, const char *call, const char *options_json, const char *form,
                           char **text, kiln_error **error); /* adds debug information */
KILN_C_API int kiln_job_advise(const kiln_job *, kiln_session *, const char *form, char **text,
                               kiln_error **error);
/* Writes the timing report of kiln_timings with advice on the jobs that the scope collected. `form`: "table",
 * "json" or "html"; null: "table". */
KILN_C_API int kiln_timings_with_advice(kiln_session *, const kiln_scope *jobs, const char *form, char **text,
                                        kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
