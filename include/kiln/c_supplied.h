/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Interfaces that an embedder may implement in C, named in kiln_session_options (kiln/c.h, which includes
 * this). Kiln copies each structure and passes `user` to every call. `closed`, which may be null, is called
 * when the session and all its handles have done with it. Any thread may call the functions, several at once.
 * kiln/executor.h, kiln/allocator.h and kiln/store.h have the rules for each. The functions must not throw or
 * jump out. Those that return an int return 0, or anything else for a failure.
 */
#ifndef KILN_C_SUPPLIED_H
#define KILN_C_SUPPLIED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The embedder's threads instead of oneTBB's (CpuExecutor). */
typedef struct kiln_executor {
  size_t struct_size;
  unsigned threads; /* number of bodies that can run at once, the caller's included; at least 1 */
  /* Calls body(context, begin, end) for ranges that are [0, count) together, and returns when all calls have.
   * A failure is the launch's KILN_USAGE. */
  int (*parallel_for)(uint64_t count, void (*body)(void *context, uint64_t begin, uint64_t end),
                      void *context, void *user);
  /* Calls work(context) once on any thread. A failure must be returned before the call; the calling thread
   * then makes it. */
  int (*submit)(void (*work)(void *context), void *context, void *user);
  void (*closed)(void *user);
  void *user;
} kiln_executor;

/* The memory of buffers on GPUs (DeviceAllocator). */
typedef struct kiln_device_allocator {
  size_t struct_size;
  /* An address on the GPU of `cuda_context`, a multiple of 256; 0: there is not so much. */
  uint64_t (*allocate)(uint64_t bytes, void *cuda_context, void *cuda_stream, void *user);
  void (*release)(uint64_t address, uint64_t bytes, void *cuda_context, void *cuda_stream, void *user);
  void (*closed)(void *user);
  void *user;
} kiln_device_allocator;

/* Contents of a store (StoreStatistics). */
typedef struct kiln_store_statistics {
  size_t struct_size;
  uint64_t entries, bytes;
} kiln_store_statistics;

/* The embedder's store instead of the cache folder (CacheStore). Keys are 16 bytes. */
typedef struct kiln_store {
  size_t struct_size;
  /* Calls give(context, data, size) once if the store has the key, else not at all. */
  int (*get)(const unsigned char *key, void (*give)(void *context, const void *data, size_t size),
             void *context, void *user);
  int (*put)(const unsigned char *key, const void *data, size_t size, void *user);
  int (*drop)(const unsigned char *key, void *user);
  void (*closed)(void *user);
  void *user;
  /* The functions from here on may be null. */
  /* Calls give(context, index, data, size) once for each key that the store has. `keys`: count times 16
   * bytes. */
  int (*get_many)(const unsigned char *keys, size_t count,
                  void (*give)(void *context, size_t index, const void *data, size_t size), void *context,
                  void *user);
  /* Replaces put. `time_to_live` in seconds, 0: no limit; `token` of the lease, 0: none. */
  int (*put_with)(const unsigned char *key, const void *data, size_t size, uint64_t time_to_live,
                  uint64_t token, void *user);
  /* The three functions of leases: all, or none. Times to live are in milliseconds. Sets *token to that of a
   * grant, or to 0: another one has the lease. */
  int (*acquire_lease)(const unsigned char *key, uint64_t time_to_live, uint64_t *token, void *user);
  /* A failure: the lease has ended. */
  int (*renew_lease)(const unsigned char *key, uint64_t token, uint64_t time_to_live, void *user);
  int (*release_lease)(const unsigned char *key, uint64_t token, void *user);
  int (*statistics)(kiln_store_statistics *out, void *user);
} kiln_store;

/* Levels of messages: LogLevel of kiln/log.h. KILN_LOG takes their names: error, warning, info, debug. */
enum { KILN_LOG_ERROR = 1, KILN_LOG_WARNING = 2, KILN_LOG_INFO = 3, KILN_LOG_DEBUG = 4 };

/* Takes one message: text of `size` bytes, which a NUL follows, valid until it returns. `level`:
 * KILN_LOG_ERROR to KILN_LOG_DEBUG. It may be called from any thread that uses the session and from the
 * session's own, several at once, during kiln_session_close too. A call of the same session from within it is
 * KILN_USAGE; it must not wait for another thread that calls the session. */
typedef void (*kiln_log_function)(int level, const char *message, size_t size, void *user);

/* Output of @device_code_llvm and similar macros for one job (DeviceCode of kiln/session.h). Valid until the
 * call returns. */
typedef struct kiln_device_code {
  size_t struct_size;
  const char *macro;          /* "@device_code_llvm" */
  const struct kiln_job *job; /* a job that the expression requested (kiln/c_language.h); do not free */
  const char *text;           /* the product, or of @device_code the file that holds it; a NUL follows */
  size_t size;                /* bytes of `text` */
} kiln_device_code;
/* Is called by the thread that evaluates the expression; it may use the job, and must not throw or jump out.
 */
typedef void (*kiln_device_code_function)(const kiln_device_code *shown, void *user);

/* A job that somebody requests of a session (JobRequest of kiln/held_job.h). Valid until the call returns. */
typedef struct kiln_job_request {
  size_t struct_size;
  const char *call;   /* "f(Float32)", as requested or as the session's language writes it */
  const char *target; /* of its config: "native", "ptx" */
  int is_kernel;      /* 0: a plain function */
} kiln_job_request;
/* Called on the requesting thread, before the job compiles (SessionOptions::on_job). 0: continue. Anything
 * else ends the job; the given text is the error's message. It must not call the session. */
typedef int (*kiln_job_hook)(const kiln_job_request *,
                             void (*give)(void *context, const char *text, size_t size), void *context,
                             void *user);

/* The address of a host function (kiln/host_function.h): `function` is a function of C, cast. */
typedef struct kiln_host_symbol {
  const char *name;
  void *function;
} kiln_host_symbol;

/* Addresses of host functions that no kiln_define_host_function has given: the table, which is copied, too,
 * then the look-up. Both are read when code is loaded. */
typedef struct kiln_host_symbols {
  size_t struct_size;
  const kiln_host_symbol *table;
  size_t count;
  /* Null: there is none. It must not call the session or bundle. The pointer itself may be null: no look-up.
   */
  void *(*find)(const char *name, void *user);
  void (*closed)(void *user);
  void *user;
} kiln_host_symbols;

#ifdef __cplusplus
}
#endif
#endif
