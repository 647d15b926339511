/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whole programs in C: libkiln-programs.so, CMake's Kiln::programs_c. It must be of the same build as
 * libkiln.so. kiln/program.h is the C++ form. Statuses, errors, handles, structures and strings follow
 * kiln/c.h.
 */
#ifndef KILN_C_PROGRAMS_H
#define KILN_C_PROGRAMS_H

#include <kiln/c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For kiln_session_options.host_library. Lives as long as the process. */
KILN_C_API kiln_host_library *kiln_programs_library(void);

typedef struct kiln_program kiln_program;

/* The surroundings of a program. The functions are called on the thread that runs the program and must not
 * throw or jump out. Each may be null. `user` is passed to each call. */
typedef struct kiln_program_options {
  size_t struct_size;
  const char *const *arguments; /* ARGS */
  size_t num_arguments;
  void (*output)(const char *text, size_t size, void *user); /* receives printed text; null: dropped */
  void (*error_output)(const char *text, size_t size, void *user);
  /* Returns the next line for readline(), without its end, or null after the last one. Valid until the next
   * call. Null: there are no lines. */
  const char *(*input)(void *user);
  /* Returns the value of an environment variable for ENV, or null. Valid until the next call. Null: ENV is
   * empty. */
  const char *(*environment)(const char *name, void *user);
  /* Receives warnings about code that probably does not do what its author meant. Null: the session's log. */
  void (*warn)(const char *message, size_t size, void *user);
  void *user;
  size_t max_bytes;   /* limit for the arrays of one statement; 0: 64 GiB */
  int is_colour;      /* 1: values and errors are coloured */
  const char *device; /* of CuArrays: "cpu", "cuda", "cuda:1"; null: a GPU if there is one, else the CPU */
} kiln_program_options;

typedef struct kiln_program_outcome {
  size_t struct_size;
  int exited; /* 1: the program called exit() */
  int status; /* of exit() */
} kiln_program_outcome;

/* Starts a program in a session opened with kiln_programs_library(). A session runs one program. Only one
 * thread at a time may call the functions below, except kiln_program_interrupt. `options` may be null.
 * KILN_USAGE: no programs library, a second program, an unknown device. */
KILN_C_API int kiln_program_open(kiln_session *, const kiln_program_options *options, kiln_program **out,
                                 kiln_error **error);
KILN_C_API void kiln_program_free(kiln_program *);
/* Runs a file as `julia FILE` does. `outcome` may be null. KILN_INPUT: the first statement that fails. */
KILN_C_API int kiln_program_run_file(kiln_program *, const char *path, kiln_program_outcome *outcome,
                                     kiln_error **error);
/* Runs text as typed at a prompt. `name` is the text's name in messages. `shown` (may be null) becomes the
 * text that a prompt shows of the last statement's value; "" for nothing, or after a `;`. */
KILN_C_API int kiln_program_run_text(kiln_program *, const char *name, const char *text,
                                     kiln_program_outcome *outcome, char **shown, kiln_error **error);
/* 1: the text is one statement or more, or has a syntax error that no further line mends; 0: it needs more
 * lines, or the handle is bad. */
KILN_C_API int kiln_program_is_complete(kiln_program *, const char *text);
/* The names that could complete `text`, sorted, each with a newline after it. */
KILN_C_API int kiln_program_completions(kiln_program *, const char *text, char **out, kiln_error **error);
/* An error as Julia prints it, with Kiln's place and caret. */
KILN_C_API int kiln_program_describe(kiln_program *, const kiln_error *described, char **out,
                                     kiln_error **error);
/* Ends the running statement with an InterruptException. Any thread or signal handler may call it, as long as
 * nobody frees the program meanwhile. A bad handle is ignored. */
KILN_C_API void kiln_program_interrupt(kiln_program *);
/* 1: an interrupt was requested, and the program has not thrown its exception yet. */
KILN_C_API int kiln_program_has_pending_interrupt(kiln_program *);

#ifdef __cplusplus
}
#endif

#endif
