/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kiln from C, and from any language that calls C. docs/guide/embed-c.md is the tour, docs/examples/cprog a
 * program. The C++ headers explain the calls in full (kiln/session.h, kiln/stream.h, kiln/device.h); this
 * header explains only the additions of C.
 *
 * Status: functions that can fail return 0, or the kind of the error: 1 KILN_INPUT, 2 KILN_USAGE, 3
 * KILN_MACHINE, 4 KILN_INTERNAL. If `error` is not null, *error becomes the error with all its diagnostics
 * (kiln_error_free), and null after a success. After a failure, results in `out` are null.
 *
 * Handles are numbers in the form of pointers: never dereference them. A null, freed or foreign handle, or
 * one of another kind, is KILN_USAGE (functions without an `error` return 0, null or ""). Each *_free takes
 * null. If a handle is freed while another thread uses it, it lives until that call returns. Handles may be
 * freed in any order: each keeps what it needs.
 *
 * Structures: set struct_size to sizeof, and the rest to zero, which is each field's default. A later version
 * adds fields at the end, and takes the smaller structure of an earlier one.
 *
 * Strings are UTF-8. Input strings end with NUL unless a size is given, and are copied. Returned strings
 * belong to the handle of the call, and are valid until it is freed. The caller owns `char *` out parameters
 * (kiln_text_free).
 *
 * Threads: as in C++ (kiln/kiln.h). Any number of threads may use a session, device, kernel, stream, event or
 * artifact; only one at a time may use a buffer or graph. Callbacks may come from any thread. They must
 * return, and must not throw or jump out.
 */
#ifndef KILN_C_H
#define KILN_C_H

#include <kiln/c_supplied.h>

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KILN_C_API __attribute__((visibility("default")))
#else
#define KILN_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version */

KILN_C_API const char *kiln_version(void); /* "0.3.0" */
/* 1: the library has this feature, else 0. docs/guide/embed-c.md lists the names. */
KILN_C_API int kiln_has_feature(const char *name);

enum { KILN_OK = 0, KILN_INPUT = 1, KILN_USAGE = 2, KILN_MACHINE = 3, KILN_INTERNAL = 4 };

typedef struct kiln_session kiln_session;
typedef struct kiln_error kiln_error;
typedef struct kiln_artifact kiln_artifact;
typedef struct kiln_device kiln_device;
typedef struct kiln_kernel kiln_kernel;
typedef struct kiln_stream kiln_stream;
typedef struct kiln_stop_source kiln_stop_source; /* kiln/c_device.h */
typedef struct kiln_event kiln_event;
typedef struct kiln_buffer kiln_buffer;
typedef struct kiln_graph kiln_graph;

/* ---- errors: one or more diagnostics, numbered from 0. Past the end, and where there is nothing: 0 and "".
 */

KILN_C_API size_t kiln_error_count(const kiln_error *);
KILN_C_API int kiln_error_status(const kiln_error *);               /* 1 to 4 */
KILN_C_API const char *kiln_error_kind(const kiln_error *, size_t); /* "MethodError", "syntax error" */
/* The number of the diagnostic's kind, which never changes: docs/guide/errors.md lists them. 100, 200, 300
 * and 400 are kinds of status 1 to 4 without a number of their own. */
KILN_C_API unsigned kiln_error_code(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_message(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_hint(const kiln_error *, size_t); /* the cure */
KILN_C_API const char *kiln_error_file(const kiln_error *, size_t);
KILN_C_API unsigned kiln_error_line(const kiln_error *, size_t);   /* from 1 */
KILN_C_API unsigned kiln_error_column(const kiln_error *, size_t); /* from 1, in characters */
/* Frames of the call stack, innermost first. */
KILN_C_API size_t kiln_error_frame_count(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_frame_function(const kiln_error *, size_t, size_t frame);
KILN_C_API const char *kiln_error_frame_file(const kiln_error *, size_t, size_t frame);
KILN_C_API unsigned kiln_error_frame_line(const kiln_error *, size_t, size_t frame);
KILN_C_API unsigned kiln_error_frame_column(const kiln_error *, size_t, size_t frame);
KILN_C_API size_t kiln_error_note_count(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_note_text(const kiln_error *, size_t, size_t note);
KILN_C_API const char *kiln_error_note_file(const kiln_error *, size_t, size_t note);
KILN_C_API unsigned kiln_error_note_line(const kiln_error *, size_t, size_t note);
KILN_C_API const char *kiln_error_text(
    const kiln_error *); /* the whole error, as the program kiln prints it */
KILN_C_API void kiln_error_free(kiln_error *);

/* ---- sessions */

typedef struct kiln_host_library kiln_host_library; /* HostLibrary of kiln/extension/language */

typedef struct kiln_session_options { /* SessionOptions of kiln/session.h, field by field */
  size_t struct_size;
  int timings;                  /* 1: time stages from the start */
  int trace_events;             /* 1: keep single events too */
  const char *dump_dir;         /* null: KILN_DUMP_DIR, or none */
  const char *trace_jobs;       /* null: KILN_TRACE_JOBS, or none; "": none */
  const char *warm_up;          /* options in JSON, as kiln_compile takes them; null: none */
  size_t inference_budget;      /* bytes; 0: 16 MiB */
  size_t artifact_budget;       /* bytes; 0: 16 MiB */
  unsigned cpu_threads;         /* 0: KILN_CPU_THREADS, or one a core */
  uint64_t cpu_order;           /* 0: KILN_CPU_ORDER, or the blocks' own order */
  const char *cache_dir;        /* null: KILN_CACHE_DIR or the user's; "": none */
  const char *shared_cache_dir; /* null: KILN_SHARED_CACHE_DIR, or none; "": none */
  uint64_t cache_budget;        /* bytes; 0: KILN_CACHE_SIZE, or 1 GiB */
  int check_cache;              /* 1: compile on every hit and compare */
  int verbosity;                /* KILN_LOG_ERROR to KILN_LOG_DEBUG; 0: KILN_LOG, or KILN_LOG_WARNING */
  /* Calls work(argument) in the embedder's oneTBB arena, where the CPU device then runs its blocks. */
  void (*cpu_arena)(void (*work)(void *argument), void *argument, void *user);
  void *cpu_arena_user;
  kiln_log_function log; /* null: standard error if KILN_LOG is set, else none */
  void *log_user;
  int ignore_environment;                        /* 1: unset options are not read from the environment */
  const kiln_executor *executor;                 /* null: oneTBB */
  const kiln_device_allocator *device_allocator; /* null: a pool of the CUDA driver's */
  const kiln_store *store;                       /* null: cache_dir */
  unsigned compile_threads;                      /* maximum number in LLVM at once; 0: no limit */
  int gdb;                                       /* 1: native code is visible to gdb */
  const char *perf_dir;       /* a folder for perf's jit-<process>.dump; null or "": none */
  int nvtx;                   /* 1: launches on GPUs are ranges of NVTX */
  unsigned worker_processes;  /* number of processes for LLVM and assembling; 0: none */
  const char *worker_program; /* their program; null or "": KILN_WORKER, or the kiln of this build */
  uint64_t worker_memory;     /* bytes of address space that one may take; 0: no limit */
  kiln_device_code_function device_code; /* receives the output of @device_code_llvm; null: the log */
  void *device_code_user;
  int quick_tier;    /* 1: first launches of kernels that assemble slowly run fast-assembled code */
  int no_coarsening; /* 1: a thread does one element, as the kernel was written */
  kiln_host_library *host_library;              /* kiln_programs_library() of kiln/c_programs.h; null: none */
  const struct kiln_language *const *languages; /* kiln/c_frontend.h, besides Julia */
  size_t language_count;
  const char *language; /* for calls, and texts without a known extension; null: "julia"; "": a file's */
  const kiln_host_symbols *symbols;  /* addresses of host functions; null: none */
  const char *const *language_files; /* shared libraries with further languages */
  size_t language_file_count;
  const char *default_options; /* JSON; for calls without options_json, and base of the others */
  kiln_job_hook on_job;        /* called once for each request of a job; may be null */
  void *on_job_user;
  /* URLs of stores that machines share, separated by spaces; null: KILN_REMOTE_CACHE, or none; "": none */
  const char *remote;
  int compile; /* 1: auto; 2: code that no cache has is an error (NotCompiled); 0: KILN_COMPILE, or auto */
  /* Seconds for one call of the assembler; negative: no limit; 0: KILN_ASSEMBLE_LIMIT, or no limit. */
  double assemble_limit;
  uint64_t store_expiry; /* seconds after which `store` should drop what this session puts; 0: no limit */
} kiln_session_options;

KILN_C_API int kiln_session_open(const kiln_session_options *options, kiln_session **out,
                                 kiln_error **error); /* options may be null */
KILN_C_API void kiln_session_close(kiln_session *);   /* waits for its CPU streams and pending cache writes */
/* In a child of fork(), sessions and handles of the parent return KILN_USAGE where a function has a status,
 * and 0, null or "" otherwise. Closing and freeing them waits for nothing. The child may open sessions of its
 * own. */

/* Evaluates the definitions in a text. `name` is the file that errors and debug information point to. */
KILN_C_API int kiln_load(kiln_session *, const char *name, const char *text, size_t size, kiln_error **error);
KILN_C_API int kiln_load_file(kiln_session *, const char *path, kiln_error **error);

/* Waits until all that was compiled is in the cache's folder. */
KILN_C_API int kiln_flush_cache(kiln_session *, kiln_error **error);
/* A folder laid out as NVIDIA's toolkit, or a part of it, for the whole process: kiln/cuda_toolkit.h. */
KILN_C_API void kiln_add_cuda_folder(const char *folder);
/* Waits for the session's background compiles: optimised and coarse code for later launches. */
KILN_C_API int kiln_wait_for_background(kiln_session *, kiln_error **error);

/* ---- compiling */

/* `call` is "f(T1, T2)". `options_json` holds options of `kiln compile` by their names, as a manifest's
 * targets and configs do: {"target": "ptx", "arch": "sm_90", "O": 2, "fastmath": true}; null or "":
 * default_options. `product`: "lowered", "typed", "llvm", "llvm-opt", "asm", "obj", "cubin"; null: "asm". */
KILN_C_API int kiln_compile(kiln_session *, const char *call, const char *options_json, const char *product,
                            kiln_artifact **out, kiln_error **error);
/* Compiles for each architecture of options_json: "arch" is "sm_80,sm_90a,sm_100f", or a list of such. Sets
 * *count to their number, and writes the artifacts, in that order, to `out`, which can hold `capacity`.
 * On an error it writes none. KILN_USAGE, too, if there are more artifacts than `capacity`. */
KILN_C_API int kiln_compile_each(kiln_session *, const char *call, const char *options_json,
                                 const char *product, kiln_artifact **out, size_t capacity, size_t *count,
                                 kiln_error **error);
KILN_C_API const void *kiln_artifact_data(const kiln_artifact *,
                                          size_t *size); /* text ends with a NUL that `size` leaves out */
KILN_C_API const char *kiln_artifact_entry(const kiln_artifact *); /* symbol of the entry */
KILN_C_API size_t
kiln_artifact_parameter_count(const kiln_artifact *); /* parameters of the entry, without those of no size */
KILN_C_API uint64_t kiln_artifact_parameter_size(const kiln_artifact *, size_t parameter);      /* bytes */
KILN_C_API unsigned kiln_artifact_parameter_alignment(const kiln_artifact *, size_t parameter); /* bytes */
KILN_C_API uint64_t kiln_artifact_shared_bytes(const kiln_artifact *); /* static shared memory of a block */

typedef struct kiln_resources { /* of a cubin, by thread; the last two by block */
  size_t struct_size;
  uint32_t registers, stack_bytes, spill_store_bytes, spill_load_bytes, constant_bytes, shared_bytes,
      barriers;
} kiln_resources;
/* Fills the fields of `out` that struct_size covers. KILN_USAGE for other products. */
KILN_C_API int kiln_artifact_resources(const kiln_artifact *, kiln_resources *out, kiln_error **error);
KILN_C_API void kiln_artifact_free(kiln_artifact *);

/* ---- arguments */

enum {
  KILN_SCALAR = 0, /* `data` points to the value's bytes, in C's layout */
  KILN_ARRAY = 1,  /* `data` is the first element, in the device's memory (the CPU: any) */
  KILN_BUFFER = 2  /* as KILN_ARRAY, but `data` is a kiln_buffer, whose first byte is the first element's */
};

typedef struct kiln_dtype { /* DLPack's: code 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool */
  uint8_t code, bits;
  uint16_t lanes; /* 1: the language has no vectors as elements */
} kiln_dtype;

typedef struct kiln_argument {
  size_t struct_size;
  int kind;         /* KILN_SCALAR, KILN_ARRAY or KILN_BUFFER */
  const char *type; /* a type of the language, of the value or the elements: "Float32", a struct that was
                       loaded; null: `dtype` */
  kiln_dtype dtype;
  void *data;
  size_t size; /* bytes at `data` of a scalar; 0: as many as its type has. Structs of the program need it, as
                  KILN_ARRAY's elements of them do */
  int ndim;    /* of arrays: 1 to 32 */
  const int64_t *dims; /* elements in each direction, the first varies fastest unless strides say otherwise */
  const int64_t *strides; /* in elements; null: column-major and compact. Others must be compact: row-major
                             arrays come with their dimensions reversed */
} kiln_argument;

/* ---- launching by name: compiled on first use for these argument types, waits for the kernel */

/* `device` is "cpu", "cuda" or "cuda:N"; null: "cpu". */
KILN_C_API int kiln_launch(kiln_session *, const char *device, const char *function, const unsigned blocks[3],
                           const unsigned threads[3], const kiln_argument *arguments, size_t count,
                           kiln_error **error);

typedef struct kiln_launch_options {
  size_t struct_size;
  const char *device; /* as kiln_launch's; null: the stream's, or "cpu" */
  const char *function;
  unsigned blocks[3], threads[3]; /* 0 counts as 1 */
  uint64_t shared_bytes;          /* dynamic shared memory of a block */
  const kiln_argument *arguments;
  size_t count;
  const char *options_json; /* as kiln_compile's */
  kiln_stream *stream;      /* the launch is put in there, and the call returns; null: waits */
  int cooperative;
  unsigned cluster[3]; /* zeros: none */
  int programmatic_serialization;
  double time_limit;            /* seconds; 0: none. On the CPU, waited for */
  const kiln_stop_source *stop; /* stops the launch; null: none */
} kiln_launch_options;

KILN_C_API int kiln_launch_ex(kiln_session *, const kiln_launch_options *, kiln_error **error);

/* ---- devices */

KILN_C_API int kiln_device_open(kiln_session *, const char *device, kiln_device **out,
                                kiln_error **error); /* "cpu", "cuda", "cuda:N" */
KILN_C_API int kiln_device_in_context(kiln_session *, void *cuda_context, kiln_device **out,
                                      kiln_error **error); /* a CUcontext that outlives it */
KILN_C_API int kiln_gpu_count(kiln_session *, size_t *out, kiln_error **error);
KILN_C_API const char *kiln_device_name(const kiln_device *); /* "" for the CPU */
KILN_C_API int kiln_device_is_gpu(const kiln_device *);
KILN_C_API int kiln_device_compute_capability(const kiln_device *); /* 90; 0 for the CPU */
KILN_C_API uint64_t kiln_device_memory_bytes(const kiln_device *);
KILN_C_API void *kiln_device_context(const kiln_device *); /* CUcontext; null for the CPU */
KILN_C_API int kiln_device_synchronize(kiln_device *, kiln_error **error);
KILN_C_API int kiln_device_free_memory(kiln_device *, uint64_t *out, kiln_error **error);
KILN_C_API int kiln_device_trim(kiln_device *, uint64_t keep, kiln_error **error);
KILN_C_API int kiln_device_allocate_pinned(kiln_device *, uint64_t bytes, kiln_buffer **out,
                                           kiln_error **error);
KILN_C_API void kiln_device_free(kiln_device *);

/* ---- kernels: compiled and loaded, launched without a look-up */

KILN_C_API int kiln_prepare(kiln_session *, const char *call, const char *options_json, const kiln_device *,
                            kiln_kernel **out, kiln_error **error);
KILN_C_API int kiln_load_kernel(kiln_session *, const kiln_artifact *, const kiln_device *, kiln_kernel **out,
                                kiln_error **error);
KILN_C_API int kiln_kernel_artifact(const kiln_kernel *, kiln_artifact **out, kiln_error **error);
KILN_C_API int kiln_kernel_suggest(const kiln_kernel *, uint64_t shared_bytes, unsigned *threads,
                                   unsigned *blocks, kiln_error **error);

typedef struct kiln_shape {
  size_t struct_size;
  unsigned blocks[3], threads[3]; /* 0 counts as 1 */
  uint64_t shared_bytes;
  unsigned cluster[3];
  int cooperative, programmatic_serialization;
  double time_limit;            /* seconds; 0: none */
  const kiln_stop_source *stop; /* stops the launch; null: none */
} kiln_shape;

/* arguments[i] points to the bytes of the kernel's i-th parameter (kiln_artifact_parameter_size): a scalar's
 * value, an array's header (kiln_array_header). They are copied. The stream must be one of the kernel's
 * device. kiln_stream_synchronize returns errors of the running kernel. */
KILN_C_API int kiln_kernel_launch(kiln_kernel *, kiln_stream *, const kiln_shape *,
                                  const void *const *arguments, size_t count, kiln_error **error);
/* Writes the header of a column-major array as kernels take it by value: ndim + 3 words of 8 bytes.
 * KILN_USAGE for a dimension below 0, and for an array of more bytes than an int64_t counts. */
KILN_C_API int kiln_array_header(void *out, size_t out_size, void *data, size_t element_size, int ndim,
                                 const int64_t *dims, kiln_error **error);
KILN_C_API void kiln_kernel_free(kiln_kernel *);

/* Description of an array for tensor copies of a kernel: TensorMapOptions of kiln/tensor_map.h, by field. */
typedef struct kiln_tensor_map_options {
  size_t struct_size;
  const char *element; /* "Float16" */
  void *data;
  int ndim;                /* 1 to 5; the contiguous dimension comes first */
  const uint64_t *lengths; /* ndim, in elements */
  const uint64_t *strides; /* ndim - 1, in bytes, of the second dimension and on; null: compact */
  const uint32_t *box;     /* ndim, in elements */
  uint32_t swizzle_bytes;
  int nan_outside;
} kiln_tensor_map_options;
/* Writes the 128 bytes that a kernel takes by value as `Hopper.TensorMap{Float16, 2}`, which `type`, if it is
 * not null, is given; it names the array's memory and does not keep it. */
KILN_C_API int kiln_tensor_map(const kiln_device *, const kiln_tensor_map_options *, void *out,
                               size_t out_size, char **type, kiln_error **error);

/* ---- streams, events, memory, graphs */

KILN_C_API int kiln_stream_open(kiln_session *, const kiln_device *, kiln_stream **out, kiln_error **error);
KILN_C_API int kiln_stream_of(kiln_session *, const kiln_device *, void *cuda_stream, kiln_stream **out,
                              kiln_error **error); /* a CUstream that outlives it */
KILN_C_API int kiln_stream_copy(kiln_stream *, void *to, const void *from, uint64_t bytes,
                                kiln_error **error);
KILN_C_API int kiln_stream_fill(kiln_stream *, void *to, uint8_t value, uint64_t bytes, kiln_error **error);
KILN_C_API int kiln_stream_allocate(kiln_stream *, uint64_t bytes, kiln_buffer **out, kiln_error **error);
KILN_C_API int kiln_stream_record(kiln_stream *, kiln_event *, kiln_error **error);
KILN_C_API int kiln_stream_wait(kiln_stream *, const kiln_event *, kiln_error **error);
KILN_C_API int kiln_stream_synchronize(kiln_stream *, kiln_error **error); /* first error since the last */
KILN_C_API int kiln_stream_idle(const kiln_stream *); /* 1: all that was put in is done */
KILN_C_API int kiln_stream_capture_begin(kiln_stream *, kiln_error **error);
KILN_C_API int kiln_stream_capture_end(kiln_stream *, kiln_graph **out, kiln_error **error);
KILN_C_API int kiln_stream_launch_graph(kiln_stream *, const kiln_graph *, kiln_error **error);
KILN_C_API void *kiln_stream_native(const kiln_stream *); /* CUstream; null for the CPU */
KILN_C_API void kiln_stream_free(kiln_stream *);          /* waits for its work */
KILN_C_API void kiln_graph_free(kiln_graph *);

KILN_C_API int kiln_event_create(kiln_event **out, kiln_error **error);
KILN_C_API int kiln_event_done(const kiln_event *); /* 1: the last record was reached, or there was none */
KILN_C_API int kiln_event_wait(const kiln_event *, kiln_error **error);
KILN_C_API int kiln_event_seconds(const kiln_event *from, const kiln_event *to, double *out,
                                  kiln_error **error);
KILN_C_API void kiln_event_free(kiln_event *);

KILN_C_API void *kiln_buffer_data(const kiln_buffer *);
KILN_C_API uint64_t kiln_buffer_bytes(const kiln_buffer *);
KILN_C_API void kiln_buffer_free(kiln_buffer *);

/* ---- reports */

/* `form` is "table", "json", "html" (a page), or with kiln_session_options.trace_events or kiln_timings_start
 * "trace" (Chrome's trace events) or "otlp" (OpenTelemetry's spans as JSON); null: "table". */
KILN_C_API int kiln_timings(kiln_session *, const char *form, char **text, kiln_error **error);
/* Session's start_timings, stop_timings, reset_timings. `trace_events` and `passes` (a row for each of LLVM's
 * passes): 0 or 1. */
KILN_C_API int kiln_timings_start(kiln_session *, int trace_events, int passes, kiln_error **error);
KILN_C_API int kiln_timings_stop(kiln_session *, kiln_error **error);
KILN_C_API int kiln_timings_reset(kiln_session *, kiln_error **error);
/* A row of the caller's own in the timings, from begin to end. The end must come on the same thread, before
 * the end of scopes that began earlier. With a `job` (null: none), the row belongs to that job, as does all
 * other work of this thread until the end. The session must live at least as long. */
typedef struct kiln_timing_scope kiln_timing_scope;
KILN_C_API int kiln_timings_begin(kiln_session *, const char *stage, const char *job, kiln_timing_scope **out,
                                  kiln_error **error);
KILN_C_API void kiln_timings_end(kiln_timing_scope *);
KILN_C_API void kiln_text_free(char *);

typedef struct kiln_counters { /* Session::Counters */
  size_t struct_size;
  uint64_t compiled, hits, waits, inferred, inference_hits, artifact_bytes, artifacts_evicted,
      inference_bytes, inferred_dropped, disk_hits, disk_misses, edge_hits, edge_misses, damaged,
      llvm_contexts, assembled, merged, quick, swapped, coarsened, remote_requests, remote_hits,
      remote_misses, remote_errors, remote_late, remote_published, remote_missing, remote_joined,
      remote_compiled, store_leases, store_waits, store_entries, store_bytes;
} kiln_counters;
KILN_C_API int kiln_session_counters(const kiln_session *, kiln_counters *out, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
