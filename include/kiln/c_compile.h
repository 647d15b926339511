/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiles in the background (futures) and many compiles at once: kiln/compile.h in C. Statuses, errors,
 * handles, structures and strings are as kiln/c.h says. docs/guide/many-kernels.md says which function to use
 * when.
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
  const char *options_json; /* options of the compile, as for kiln_compile */
  const char *product;      /* as for kiln_compile; null: "asm"; kiln_prepare_many ignores it */
  const kiln_job *job;      /* a held job; then `call` and `options_json` must be null */
} kiln_compile_request;

typedef struct kiln_submit_options { /* SubmitOptions */
  size_t struct_size;
  int priority; /* waiting compiles with a larger priority begin first */
  /* Seconds from the call on; 0: none; a compile not done by then fails: DeadlineExceeded */
  double deadline;
} kiln_submit_options;

/* ---- one compile: CompileFuture */

typedef struct kiln_future kiln_future;

/* Starts a compile on a thread of the session and returns. `options` may be null. Errors of the compile are
 * reported by the future. kiln_submit itself fails only with KILN_USAGE or for a bad `options_json`. */
KILN_C_API int kiln_submit(kiln_session *, const kiln_compile_request *request,
                           const kiln_submit_options *options, kiln_future **out, kiln_error **error);
KILN_C_API int kiln_future_ready(const kiln_future *); /* 1: kiln_future_get returns at once */
/* Waits until the future is ready, at most `seconds` seconds (capped at 1e9). Returns 1 if the future is
 * ready. */
KILN_C_API int kiln_future_wait(const kiln_future *, double seconds);
/* Waits for the compile and returns its product; each call returns a new handle, the caller's
 * (kiln_artifact_free). Errors: those of kiln_compile, and the kinds "Cancelled" (KILN_USAGE),
 * "DeadlineExceeded" and "WorkerError" (KILN_MACHINE). */
KILN_C_API int kiln_future_get(const kiln_future *, kiln_artifact **out, kiln_error **error);
/* Registers the callback `told`. Kiln calls it once with the artifact or the error; the other one is null.
 * Both belong to Kiln and are valid until `told` returns; both are null if memory runs out. If the future is
 * ready, kiln_future_then calls `told` at once; else the thread that compiles or cancels calls it. `told` may
 * submit and compile. It must not wait for another future of the session or close the session. */
KILN_C_API int kiln_future_then(const kiln_future *,
                                void (*told)(const kiln_artifact *artifact, const kiln_error *failure,
                                             void *user),
                                void *user, kiln_error **error);
/* Cancels the compile, which then has the error "Cancelled"; does nothing if the future is ready. A stage
 * that runs in this process still runs to its end; a worker process is killed at once. */
KILN_C_API int kiln_future_cancel(const kiln_future *, kiln_error **error);
KILN_C_API void kiln_future_free(kiln_future *); /* frees the handle only: the compile continues */

/* ---- many compiles
 *
 * `requests` points to `count` structures with equal struct_size. out[i] becomes the result of requests[i],
 * null if that request failed; `each`, null or an array of `count`, gets its error or null. Results and
 * errors are the caller's. The status is KILN_OK if all succeeded, else that of the first failure, and
 * `error` has the diagnostics of all failures. `options` may be null. Equal requests compile once. */

KILN_C_API int kiln_compile_many(kiln_session *, const kiln_compile_request *requests, size_t count,
                                 const kiln_submit_options *options, kiln_artifact **out, kiln_error **each,
                                 kiln_error **error);
/* Compiles and loads a kernel for each request, as kiln_prepare does. Kernels for a GPU are assembled
 * together, which takes less time. */
KILN_C_API int kiln_prepare_many(kiln_session *, const kiln_compile_request *requests, size_t count,
                                 const kiln_device *, const kiln_submit_options *options, kiln_kernel **out,
                                 kiln_error **each, kiln_error **error);

/* ---- more about a held job (kiln/c_language.h) */

/* The job's name and target as timing reports show them: "f(Float32)", "ptx sm_90". `name` or `target` may be
 * null. */
KILN_C_API int kiln_job_label(const kiln_job *, char **name, char **target, kiln_error **error);
/* *text becomes a digest, 32 hexadecimal digits, of everything that determines the job's products. Jobs with
 * equal digests have equal products, also across processes. Runs inference for the job. */
KILN_C_API int kiln_job_digest(const kiln_job *, char **text, kiln_error **error);

typedef struct kiln_gpu_code { /* GpuCode of kiln/target.h */
  size_t struct_size;
  int sm; /* architecture's number: 90 for sm_90; 0: the job is not for a GPU */
  int arch_specific, family_specific;
  int ptx_isa; /* PTX ISA version x 10; 0: the architecture's default */
  uint32_t block_threads[3];
  uint32_t coarse_bytes;
} kiln_gpu_code;
/* Describes the code that a GPU loads for the job: its architecture and options. */
KILN_C_API int kiln_job_gpu_code(const kiln_job *, kiln_gpu_code *out, kiln_error **error);

/* Stops the session's kernels on the CPU, at any instruction, without waiting for their end
 * (kiln/interrupt.h). Signal handlers must not call it. */
KILN_C_API int kiln_interrupt_kernels(kiln_session *, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
