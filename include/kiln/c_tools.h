/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions for tools built on Kiln: reports of loads, timings, kinds of errors, options by name, worker
 * processes. kiln/session_report.h, kiln/error_code.h, kiln/read_config.h and kiln/worker.h are the C++
 * forms. Statuses, errors, handles, structures and strings are as kiln/c.h says. Any thread may call the
 * functions.
 */
#ifndef KILN_C_TOOLS_H
#define KILN_C_TOOLS_H

#include <kiln/c.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_load_summary { /* LoadSummary */
  size_t struct_size;
  uint32_t methods, types; /* defined */
  uint32_t notes;          /* statements that were not run */
  uint32_t warnings;
} kiln_load_summary;
/* Loads a text like kiln_load and reports on it. Before it returns, calls `told` (may be null) for each note
 * and each warning, with a text "file:line: reason" that is valid during the call. `out` may be null. */
KILN_C_API int kiln_load_reported(kiln_session *, const char *name, const char *text, size_t size,
                                  kiln_load_summary *out,
                                  void (*told)(int is_warning, const char *text, void *user), void *user,
                                  kiln_error **error);
/* Loads a text of the embedder's own library, which is equal for all its programs. Call it right after
 * kiln_session_open, while no other call of the session runs. Cache keys contain the text. The rules are
 * those of Session::load_library. KILN_USAGE: the session has other definitions. */
KILN_C_API int kiln_load_library(kiln_session *, const char *name, const char *text, size_t size,
                                 kiln_error **error);

/* ---- timings */

/* Adds a finished row of the caller to the timings. `start` and `end` are nanoseconds of CLOCK_MONOTONIC. */
KILN_C_API int kiln_timings_add(kiln_session *, const char *stage, uint64_t start, uint64_t end,
                                kiln_error **error);

/* ---- kinds of errors */

typedef struct kiln_diagnostic_info { /* DiagnosticInfo. Static strings. */
  size_t struct_size;
  unsigned code;       /* kiln_error_code's */
  const char *name;    /* "MethodError" */
  const char *meaning; /* the problem, in a sentence */
  const char *cure;    /* the recommended action */
} kiln_diagnostic_info;
KILN_C_API size_t kiln_diagnostic_count(void); /* sorted by number */
KILN_C_API int kiln_diagnostic(size_t index, kiln_diagnostic_info *out, kiln_error **error);
/* Finds a kind of error by its number or name, "102" or "MethodError"; the first one if several have the
 * name. KILN_USAGE: there is none. */
KILN_C_API int kiln_find_diagnostic(const char *number_or_name, kiln_diagnostic_info *out,
                                    kiln_error **error);

/* ---- options of jobs that options_json may contain */

typedef struct kiln_option_info { /* OptionInfo. Static strings. */
  size_t struct_size;
  const char *name;   /* "maxregs" */
  const char *target; /* that has the option; "": every target */
  int is_flag;        /* the option's value is true or false */
} kiln_option_info;
KILN_C_API size_t kiln_option_count(void);
KILN_C_API int kiln_option(size_t index, kiln_option_info *out, kiln_error **error);
/* Checks a text for options_json, without a session. KILN_INPUT: all faults, each with its place in the
 * text. */
KILN_C_API int kiln_check_options(const char *options_json, kiln_error **error);

/* ---- worker processes */

/* Returns the identity of this build of Kiln: 16 hexadecimal digits, a static string. Different builds share
 * no cache entries and no worker processes. */
KILN_C_API const char *kiln_build_id(void);
/* Runs a worker process: serves jobs until the session closes its end of file descriptor 3. A program for
 * kiln_session_options.worker_program, which a session starts with the argument "worker", calls it once, from
 * the main thread. Kiln calls `orphaned` on another thread when the session is gone; `orphaned` must end this
 * process and must not return. */
KILN_C_API int kiln_run_worker(void (*orphaned)(void *user), void *user, kiln_error **error);

/* ---- timings (kiln/timing.h) */

typedef struct kiln_timing_options { /* TimingOptions */
  size_t struct_size;
  int trace_events, passes;
  uint64_t since;
  int kernels; /* 1: measure execution times of kernels */
} kiln_timing_options;
/* Starts timings like kiln_timings_start, with all options of Session::start_timings. */
KILN_C_API int kiln_timings_start_with(kiln_session *, const kiln_timing_options *, kiln_error **error);
/* Session::send_spans. */
KILN_C_API int kiln_timings_send_spans(kiln_session *, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
