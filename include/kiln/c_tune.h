/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The tuner in C: finds the fastest of many candidates of a kernel. kiln/tune.h explains the fields in full,
 * docs/guide/tune.md is the tour. Statuses, errors, handles, structures and strings are as kiln/c.h says.
 *
 * Threads: any thread may call these functions, but only one search at a time may measure on a device.
 */
#ifndef KILN_C_TUNE_H
#define KILN_C_TUNE_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_tune_argument {
  const char *expression;     /* in the session's language; may contain parameters: "Val($TILE)" */
  const kiln_argument *value; /* value instead of the expression; the tuner works on copies of arrays */
} kiln_tune_argument;

typedef struct kiln_tune_setting {
  const char *name, *value;
} kiln_tune_setting;

typedef struct kiln_tune_expected { /* expected contents of an array argument after the launch */
  size_t argument;                  /* counted from 1 */
  const void *bytes;                /* of its elements */
  size_t size;
} kiln_tune_expected;

/* Progress of a search. Valid during the callback. */
typedef struct kiln_tune_progress {
  size_t struct_size;
  const char *phase; /* "compile", "check", "measure" */
  size_t done, all;  /* candidates done and in all, in this phase; "measure" counts dropped ones as done */
  unsigned round;
  double seconds_left; /* upper bound of the remaining time; negative: not known */
  double best;         /* time of the fastest candidate so far, in nanoseconds; 0: none */
} kiln_tune_progress;

typedef struct kiln_tune_request {
  size_t struct_size;
  const char *function; /* may name parameters */
  const kiln_tune_argument *arguments;
  size_t count;
  const char *space_json;   /* search space, as for read_tune_space and `kiln tune --space` */
  const char *options_json; /* options of all candidates, before those of the space are applied */

  /* The expected result of every candidate. Set one of `reference`, `reference_candidate` and `expected`. */
  /* Name of a kernel that gets the arguments without parameters. Without a shape it runs on the CPU with one
   * thread. */
  const char *reference;
  const char *reference_threads[3], *reference_blocks[3]; /* expressions; null: 1 */
  const char *reference_shared;
  const kiln_tune_setting *reference_candidate; /* a value for every parameter */
  size_t reference_candidate_count;
  const kiln_tune_expected *expected;
  size_t expected_count;
  /* Relative, for floating-point numbers; 0: the square root of the type's epsilon; negative: exact. */
  double tolerance;

  double bytes, flops; /* bytes and operations of a launch; bytes 0: the size of all arrays */
  int flush_l2, exhaustive, again, no_ceiling;
  unsigned min_rounds, max_rounds;                          /* 0: 3 and 24 */
  double confidence, level;                                 /* 0: 3 standard errors, 0.005 */
  double time_limit;                                        /* seconds of one launch; 0: 10 */
  void (*progress)(const kiln_tune_progress *, void *user); /* must not call the session */
  void *progress_user;
  /* Further GPUs of the same model: TuneOptions::more_devices. */
  const kiln_device *const *more_devices;
  size_t more_device_count;
} kiln_tune_request;

/* Searches for the fastest candidate. *winner becomes its job, for kiln_job_prepare; null if no candidate is
 * right. *json becomes the whole result (TuneResult in the form of tune_json). `winner` or `json` may be
 * null. KILN_MACHINE with the kind TimeLimitError: a kernel on a GPU did not end in time, and this process
 * must end (TuneOptions::time_limit of kiln/tune.h). */
KILN_C_API int kiln_tune(kiln_session *, const kiln_device *, const kiln_tune_request *, kiln_job **winner,
                         char **json, kiln_error **error);
/* Returns stored results of earlier searches, like tuned() of kiln/tune.h. Launches and measures nothing. */
KILN_C_API int kiln_tuned(kiln_session *, const kiln_device *, const kiln_tune_request *, kiln_job **winner,
                          char **json, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
