/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C functions that run whole programs, not only kernels: files and prompts. They are in libkiln-programs.so
 * (CMake target Kiln::programs_c), which must be of the same build as libkiln.so. kiln/program.h is the C++
 * form. Statuses, errors, handles, structures and strings are as kiln/c.h says.
 */
#ifndef KILN_C_PROGRAMS_H
#define KILN_C_PROGRAMS_H

#include <kiln/c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the library that runs programs, for kiln_session_options.host_library. Valid until the process
 * ends. */
KILN_C_API kiln_host_library *kiln_programs_library(void);

typedef struct kiln_program kiln_program;

/* Environment of a program: its arguments, input and output. Kiln calls the functions on the thread that runs
 * the program; they must not throw or longjmp. Each may be null. `user` is passed to each call. */
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
  /* Receives warnings about suspicious code. Null: the session's log. */
  void (*warn)(const char *message, size_t size, void *user);
  void *user;
  size_t max_bytes; /* maximum bytes of the arrays that one statement creates; 0: 64 GiB */
  int is_colour;    /* 1: values and errors are coloured */
  /* Device of CuArrays: "cpu", "cuda:N" or "opencl:N"; null: a GPU if there is one, else the CPU. */
  const char *device;
} kiln_program_options;

typedef struct kiln_program_outcome {
  size_t struct_size;
  int exited; /* 1: the program called exit() */
  int status; /* of exit() */
} kiln_program_outcome;

/* Starts a program in a session that was opened with kiln_programs_library(). A session runs one program.
 * Only one thread at a time may call the functions below, except kiln_program_interrupt. `options` may be
 * null. KILN_USAGE: the session has no programs library or runs a program already, or the device is
 * unknown. */
KILN_C_API int kiln_program_open(kiln_session *, const kiln_program_options *options, kiln_program **out,
                                 kiln_error **error);
KILN_C_API void kiln_program_free(kiln_program *);
/* Runs a file as `julia FILE` does. `outcome` may be null. KILN_INPUT: a statement failed, which ends the
 * run. */
KILN_C_API int kiln_program_run_file(kiln_program *, const char *path, kiln_program_outcome *outcome,
                                     kiln_error **error);
/* Runs text as typed at a prompt. `name` is the text's name in messages. *shown (`shown` may be null) becomes
 * the last statement's value as a prompt shows it; "" if the value is nothing or the text ends with `;`. With
 * `shown`, the variable `ans` keeps a value other than nothing. */
KILN_C_API int kiln_program_run_text(kiln_program *, const char *name, const char *text,
                                     kiln_program_outcome *outcome, char **shown, kiln_error **error);
/* Returns 1 if the text is complete: whole statements, or a syntax error that further lines cannot repair.
 * Returns 0 if the text needs more lines, or for a bad handle. */
KILN_C_API int kiln_program_is_complete(kiln_program *, const char *text);
/* *out becomes the possible completions of the name at the end of `text`: sorted names, each followed by a
 * newline. */
KILN_C_API int kiln_program_completions(kiln_program *, const char *text, char **out, kiln_error **error);
/* *out becomes an error with the text of Julia, in the layout of the compiler's messages: place, source line
 * with caret, stack, hint. */
KILN_C_API int kiln_program_describe(kiln_program *, const kiln_error *described, char **out,
                                     kiln_error **error);
/* Ends the running statement with an InterruptException. Any thread or signal handler may call it, as long as
 * no thread frees the program meanwhile. Ignores a bad handle. */
KILN_C_API void kiln_program_interrupt(kiln_program *);
/* Returns 1 if an interrupt was requested and the program has not thrown its InterruptException yet. */
KILN_C_API int kiln_program_has_pending_interrupt(kiln_program *);

#ifdef __cplusplus
}
#endif

#endif
