/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Interfaces that an embedder may implement in C: executor, allocator, store, log and hooks.
 * kiln_session_options of kiln/c.h takes them. Kiln copies each structure and passes `user` to every call. It
 * calls `closed`, which may be null, when the session and all its handles no longer use the interface. Any
 * thread may call the functions, several at once; kiln/executor.h, kiln/allocator.h and kiln/store.h state
 * what each may do. They must not throw or longjmp. Functions that return an int return 0 for success,
 * another number for a failure.
 */
#ifndef KILN_C_SUPPLIED_H
#define KILN_C_SUPPLIED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs work of the CPU device on the embedder's threads instead of oneTBB's: CpuExecutor of
 * kiln/executor.h. */
typedef struct kiln_executor {
  size_t struct_size;
  unsigned threads; /* number of threads that can run bodies at once, the caller included; at least 1 */
  /* Calls body(context, begin, end) for disjoint ranges that cover [0, count), and returns when all calls
   * have returned. If parallel_for returns a failure, the launch fails with KILN_USAGE. */
  int (*parallel_for)(uint64_t count, void (*body)(void *context, uint64_t begin, uint64_t end),
                      void *context, void *user);
  /* Calls work(context) once on any thread. If it returns a failure, it must not have called `work`: Kiln
   * then calls `work` on the submitting thread. */
  int (*submit)(void (*work)(void *context), void *context, void *user);
  void (*closed)(void *user);
  void *user;
} kiln_executor;

/* Allocates the memory of buffers on GPUs: DeviceAllocator of kiln/allocator.h. */
typedef struct kiln_device_allocator {
  size_t struct_size;
  /* Returns an address on the GPU of `cuda_context`, a multiple of 256; 0: out of memory. */
  uint64_t (*allocate)(uint64_t bytes, void *cuda_context, void *cuda_stream, void *user);
  void (*release)(uint64_t address, uint64_t bytes, void *cuda_context, void *cuda_stream, void *user);
  void (*closed)(void *user);
  void *user;
} kiln_device_allocator;

/* Number and size of a store's entries (StoreStatistics). */
typedef struct kiln_store_statistics {
  size_t struct_size;
  uint64_t entries, bytes;
} kiln_store_statistics;

/* Stores the entries of the persistent cache instead of the cache's folder: CacheStore of kiln/store.h. A key
 * has 16 bytes. */
typedef struct kiln_store {
  size_t struct_size;
  /* Reads an entry: calls give(context, data, size) once if the store has the key, else not at all. */
  int (*get)(const unsigned char *key, void (*give)(void *context, const void *data, size_t size),
             void *context, void *user);
  int (*put)(const unsigned char *key, const void *data, size_t size, void *user);
  int (*drop)(const unsigned char *key, void *user);
  void (*closed)(void *user);
  void *user;
  /* The functions from here on may be null. */
  /* Reads several entries: calls give(context, index, data, size) once for each key that the store has.
   * `keys` holds `count` times 16 bytes. */
  int (*get_many)(const unsigned char *keys, size_t count,
                  void (*give)(void *context, size_t index, const void *data, size_t size), void *context,
                  void *user);
  /* Kiln calls it instead of `put` if it is set. `time_to_live` is in seconds, 0: no limit. `token` is the
   * token of the writer's lease on the key, 0: no lease. */
  int (*put_with)(const unsigned char *key, const void *data, size_t size, uint64_t time_to_live,
                  uint64_t token, void *user);
  /* Leases, by which several writers compile an entry once: set all three functions or none. Times to live
   * are in milliseconds. acquire_lease sets *token to the token of a new lease on the key, or to 0 if another
   * holder has the lease. */
  int (*acquire_lease)(const unsigned char *key, uint64_t time_to_live, uint64_t *token, void *user);
  /* Extends a lease. A failure means that the lease has ended. */
  int (*renew_lease)(const unsigned char *key, uint64_t token, uint64_t time_to_live, void *user);
  int (*release_lease)(const unsigned char *key, uint64_t token, void *user);
  int (*statistics)(kiln_store_statistics *out, void *user);
} kiln_store;

/* Levels of messages: LogLevel of kiln/log.h. KILN_LOG takes their names: error, warning, info, debug. */
enum { KILN_LOG_ERROR = 1, KILN_LOG_WARNING = 2, KILN_LOG_INFO = 3, KILN_LOG_DEBUG = 4 };

/* Receives one log message: text of `size` bytes with a NUL after it, valid during the call. `level` is
 * KILN_LOG_ERROR to KILN_LOG_DEBUG. Threads that use the session and threads of the session call it, several
 * at once, also during kiln_session_close. Within the call, functions of the same session fail with
 * KILN_USAGE. It must not wait for another thread that calls the session. */
typedef void (*kiln_log_function)(int level, const char *message, size_t size, void *user);

/* A product of one job that @device_code_llvm or a similar macro shows: DeviceCode of kiln/session.h. Valid
 * during the call. */
typedef struct kiln_device_code {
  size_t struct_size;
  const char *macro;          /* "@device_code_llvm" */
  const struct kiln_job *job; /* the job that the expression requested (kiln/c_language.h); do not free it */
  const char *text;           /* the product, or for @device_code the path of its file; a NUL follows */
  size_t size;                /* bytes of `text` */
} kiln_device_code;
/* Receives a product that @device_code_llvm or a similar macro shows, on the thread that evaluates the
 * expression. It may use the job. It must not throw or longjmp.
 */
typedef void (*kiln_device_code_function)(const kiln_device_code *shown, void *user);

/* A job that is about to be compiled or looked up in a session: JobRequest of kiln/held_job.h. Valid during
 * the call. */
typedef struct kiln_job_request {
  size_t struct_size;
  const char *call;   /* "f(Float32)", as requested or as the session's language writes it */
  const char *target; /* target of the job's config: "native", "ptx" */
  int is_kernel;      /* 0: a plain function */
} kiln_job_request;
/* Permits or refuses a job before it compiles. Called on the requesting thread (SessionOptions::on_job).
 * Returns 0 to go on. Any other result fails the job; the text passed to `give` is the error's message. It
 * must not call the session. */
typedef int (*kiln_job_hook)(const kiln_job_request *,
                             void (*give)(void *context, const char *text, size_t size), void *context,
                             void *user);

/* Name and address of a host function (kiln/host_function.h). `function` is a C function, cast to void *. */
typedef struct kiln_host_symbol {
  const char *name;
  void *function;
} kiln_host_symbol;

/* Addresses of host functions that were not defined by kiln_define_host_function. Loading code searches
 * `table` first, which Kiln copies, then calls `find`. */
typedef struct kiln_host_symbols {
  size_t struct_size;
  const kiln_host_symbol *table;
  size_t count;
  /* Returns the address of a function, or null if it has none. It must not call the session or bundle. `find`
   * itself may be null.
   */
  void *(*find)(const char *name, void *user);
  void (*closed)(void *user);
  void *user;
} kiln_host_symbols;

#ifdef __cplusplus
}
#endif
#endif
