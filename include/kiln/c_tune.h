/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The tuner in C: the fastest of many candidates of a kernel. kiln/tune.h explains the fields in full,
 * docs/guide/tune.md is the tour. Statuses, errors, handles, structures and strings follow kiln/c.h.
 *
 * Threads: one search at a time may measure on a device.
 */
#ifndef KILN_C_TUNE_H
#define KILN_C_TUNE_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_tune_argument {
  const char *expression;     /* of the session's language; it may name parameters: "Val($TILE)" */
  const kiln_argument *value; /* instead of the expression. Arrays are copied and stay unchanged */
} kiln_tune_argument;

typedef struct kiln_tune_setting {
  const char *name, *value;
} kiln_tune_setting;

typedef struct kiln_tune_expected { /* expected content of an argument of one array after the launch */
  size_t argument;                  /* counted from 1 */
  const void *bytes;                /* of its elements */
  size_t size;
} kiln_tune_expected;

/* Progress of a search. Valid during the call. */
typedef struct kiln_tune_progress {
  size_t struct_size;
  const char *phase; /* "compile", "check", "measure" */
  size_t done, all;  /* candidates of this phase; while measuring, `done` counts dropped ones */
  unsigned round;
  double seconds_left; /* upper limit; below 0: unknown */
  double best;         /* nanoseconds of the fastest so far; 0: none */
} kiln_tune_progress;

typedef struct kiln_tune_request {
  size_t struct_size;
  const char *function; /* may name parameters */
  const kiln_tune_argument *arguments;
  size_t count;
  const char *space_json;   /* as read_tune_space and `kiln tune --space` take it */
  const char *options_json; /* as kiln_compile's; base of the space's options */

  /* The expected result of a candidate: one of the three. */
  const char *reference; /* a function of the arguments that name no parameter; without a shape it runs on
                            the CPU as one thread */
  const char *reference_threads[3], *reference_blocks[3]; /* expressions; null: 1 */
  const char *reference_shared;
  const kiln_tune_setting *reference_candidate; /* a value for every parameter */
  size_t reference_candidate_count;
  const kiln_tune_expected *expected;
  size_t expected_count;
  double tolerance; /* of floating-point numbers; 0: the square root of the type's epsilon; below 0: exact */

  double bytes, flops; /* of a launch; bytes 0: those of the arrays, each once */
  int flush_l2, exhaustive, again, no_ceiling;
  unsigned min_rounds, max_rounds;                          /* 0: 3 and 24 */
  double confidence, level;                                 /* 0: 3 standard errors, 0.005 */
  double time_limit;                                        /* seconds of one launch; 0: 10 */
  void (*progress)(const kiln_tune_progress *, void *user); /* must not call the session */
  void *progress_user;
} kiln_tune_request;

/* Searches. `winner` is a job for kiln_job_prepare, null if no candidate is correct. `json` describes every
 * candidate (TuneResult as tune_json writes it). Either may be null. KILN_MACHINE with the kind
 * TimeLimitError: a kernel on a GPU did not end, and the process must end (kiln/tune.h). */
KILN_C_API int kiln_tune(kiln_session *, const kiln_device *, const kiln_tune_request *, kiln_job **winner,
                         char **json, kiln_error **error);
/* Results of earlier runs. Launches and measures nothing. */
KILN_C_API int kiln_tuned(kiln_session *, const kiln_device *, const kiln_tune_request *, kiln_job **winner,
                          char **json, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
