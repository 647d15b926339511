/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiles in the background, and many at once: kiln/compile.h in C. Statuses, errors, handles, structures
 * and strings follow kiln/c.h. docs/guide/many-kernels.md compares the functions.
 *
 * Threads: any number of threads may use one future.
 */
#ifndef KILN_C_COMPILE_H
#define KILN_C_COMPILE_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_compile_request { /* CompileRequest */
  size_t struct_size;
  const char *call;         /* "f(T1, T2)", as kiln_compile's */
  const char *options_json; /* of `call`, as kiln_compile's */
  const char *product;      /* as kiln_compile's; null: "asm". kiln_prepare_many ignores it. */
  const kiln_job *job;      /* a held job instead of `call` and `options_json`, which are then null */
} kiln_compile_request;

typedef struct kiln_submit_options { /* SubmitOptions */
  size_t struct_size;
  int priority;    /* waiting compiles with larger numbers begin first */
  double deadline; /* seconds from the call on; 0: none. A later compile ends in DeadlineExceeded. */
} kiln_submit_options;

/* ---- one compile: CompileFuture */

typedef struct kiln_future kiln_future;

/* Starts a compile on a thread of the session and returns. `options` may be null. The future holds the
 * compile's errors; kiln_submit's own are KILN_USAGE and a bad `options_json`. */
KILN_C_API int kiln_submit(kiln_session *, const kiln_compile_request *request,
                           const kiln_submit_options *options, kiln_future **out, kiln_error **error);
KILN_C_API int kiln_future_ready(const kiln_future *); /* 1: kiln_future_get returns at once */
/* Waits at most `seconds` (1e9 if it is more). 1: the future is ready. */
KILN_C_API int kiln_future_wait(const kiln_future *, double seconds);
/* Waits and returns the product. May be called several times; the caller owns each (kiln_artifact_free).
 * Errors: those of kiln_compile; the kinds "Cancelled" (KILN_USAGE), "DeadlineExceeded" and "WorkerError"
 * (KILN_MACHINE). */
KILN_C_API int kiln_future_get(const kiln_future *, kiln_artifact **out, kiln_error **error);
/* Calls `told` once with the artifact or the error; the other is null. Both belong to Kiln and are valid
 * until `told` returns. Both are null if no memory is left for a handle. The compiling or cancelling thread
 * calls it; if the future is ready, this thread calls it at once. `told` may submit and compile. It must not
 * wait for another future of the session, nor close the session. */
KILN_C_API int kiln_future_then(const kiln_future *,
                                void (*told)(const kiln_artifact *artifact, const kiln_error *failure,
                                             void *user),
                                void *user, kiln_error **error);
/* Ends the compile with the error "Cancelled", unless it is ready. A stage that is under way in this process
 * runs to its end; a worker process ends at once. */
KILN_C_API int kiln_future_cancel(const kiln_future *, kiln_error **error);
KILN_C_API void kiln_future_free(kiln_future *); /* the compile continues */

/* ---- many compiles
 *
 * `requests` has `count` structures, all of the first one's struct_size. out[i] becomes the result of
 * requests[i], null if that request failed. `each`, null or an array of `count`, gets its error or null. The
 * caller owns all of them. The status is KILN_OK if all succeeded, else that of the first failure; `error`
 * has the diagnostics of all failures. `options` may be null. Equal jobs compile once. */

KILN_C_API int kiln_compile_many(kiln_session *, const kiln_compile_request *requests, size_t count,
                                 const kiln_submit_options *options, kiln_artifact **out, kiln_error **each,
                                 kiln_error **error);
/* kiln_prepare of all requests. Kernels for a GPU are assembled together, which takes less time. */
KILN_C_API int kiln_prepare_many(kiln_session *, const kiln_compile_request *requests, size_t count,
                                 const kiln_device *, const kiln_submit_options *options, kiln_kernel **out,
                                 kiln_error **each, kiln_error **error);

/* ---- more about a held job (kiln/c_language.h) */

/* The job's name and target as timing reports show them: "f(Float32)", "ptx sm_90". Each may be null. */
KILN_C_API int kiln_job_label(const kiln_job *, char **name, char **target, kiln_error **error);
/* 32 hexadecimal digits of all that decides the job's products. Equal digests have equal products, in other
 * processes too. Infers the job. */
KILN_C_API int kiln_job_digest(const kiln_job *, char **text, kiln_error **error);

typedef struct kiln_gpu_code { /* GpuCode of kiln/target.h */
  size_t struct_size;
  int sm; /* compute capability x 10; 0: the job is not for a GPU */
  int arch_specific, family_specific;
  int ptx_isa; /* version x 10; 0: the architecture's default */
  uint32_t block_threads[3];
  uint32_t coarse_bytes;
} kiln_gpu_code;
/* The code that a GPU loads for the job. */
KILN_C_API int kiln_job_gpu_code(const kiln_job *, kiln_gpu_code *out, kiln_error **error);

/* Ends the session's kernels on the CPU at any instruction: kiln/interrupt.h. Not for signal handlers. */
KILN_C_API int kiln_interrupt_kernels(kiln_session *, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
