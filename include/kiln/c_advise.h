/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Advice in C: reasons why a kernel is slow, with the place in its source and a replacement. kiln/advise.h
 * has the conditions, docs/guide/advice.md each rule. Statuses, errors, handles, structures and strings
 * follow kiln/c.h. A library built without advice has none of these functions: kiln_has_feature("advise").
 */
#ifndef KILN_C_ADVISE_H
#define KILN_C_ADVISE_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `form`: "text" (a line each) or "json" (advice_json of kiln/advise.h); null: "text". The caller owns *text
 * (kiln_text_free). The JSON lists rules that could not run. Errors: those of kiln_compile; KILN_USAGE for a
 * job without debug information or without optimisation. */
KILN_C_API int kiln_advise(kiln_session *, const char *call, const char *options_json, const char *form,
                           char **text, kiln_error **error); /* adds debug information */
KILN_C_API int kiln_job_advise(const kiln_job *, kiln_session *, const char *form, char **text,
                               kiln_error **error);
/* kiln_timings with advice on the jobs of a scope. `form`: "table", "json" or "html"; null: "table". */
KILN_C_API int kiln_timings_with_advice(kiln_session *, const kiln_scope *jobs, const char *form, char **text,
                                        kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
