/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kiln from C, and from any language that calls C. docs/guide/embed-c.md is the tour, docs/examples/cprog a
 * program. kiln/session.h, kiln/stream.h and kiln/device.h document the same functions in full; this header
 * documents what is different in C.
 *
 * Status: functions that can fail return 0, or the kind of the failure: 1 KILN_INPUT, 2 KILN_USAGE, 3
 * KILN_MACHINE, 4 KILN_INTERNAL. If `error` is no null pointer, *error becomes the error with all details
 * (free it with kiln_error_free), or null after a success. A handle that a function returns through `out` is
 * null after a failure.
 *
 * Handles are numbers in the form of pointers: never dereference them. A null, freed or foreign handle, or
 * one of another kind, is KILN_USAGE (functions without an `error` give 0, null or ""). Each *_free takes
 * null. Freeing a handle that another thread uses waits for nothing: the object lives until that thread's
 * call returns. Handles may be freed in any order: each keeps the objects that it needs.
 *
 * Structures: set struct_size to the structure's sizeof. A field that is zero has its default. Later versions
 * of Kiln add fields at the end and still accept the smaller structures of earlier versions.
 *
 * Strings are UTF-8. Kiln copies strings that it receives; they end with NUL unless a size is passed too. A
 * returned const char * belongs to the handle it was read from, and is valid until that handle is freed. A
 * char * returned through an out parameter is the caller's (kiln_text_free).
 *
 * Threads: as in C++ (kiln/kiln.h): any number of threads may use a session, device, kernel, stream, event or
 * artifact at once, but only one thread at a time a buffer or graph. Kiln may call a callback on any thread.
 * Callbacks must return; they must not throw or longjmp.
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
/* Returns 1 if the library was built with the named feature, else 0. docs/guide/embed-c.md lists the
 * names. */
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

/* ---- errors: one or more diagnostics; the size_t is a diagnostic's index from 0. An index past the end, or
 * a missing detail, gives 0 or "".
 */

KILN_C_API size_t kiln_error_count(const kiln_error *);
KILN_C_API int kiln_error_status(const kiln_error *);               /* 1 to 4 */
KILN_C_API const char *kiln_error_kind(const kiln_error *, size_t); /* "MethodError", "syntax error" */
/* The number of the diagnostic's kind, which never changes (docs/guide/errors.md lists all). 100, 200, 300
 * and 400 stand for kinds without their own number, of status 1 to 4. */
KILN_C_API unsigned kiln_error_code(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_message(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_hint(const kiln_error *, size_t); /* the cure */
KILN_C_API const char *kiln_error_file(const kiln_error *, size_t);
KILN_C_API unsigned kiln_error_line(const kiln_error *, size_t);   /* from 1 */
KILN_C_API unsigned kiln_error_column(const kiln_error *, size_t); /* from 1, in characters */
/* The source stack of the diagnostic in the compiled program, innermost frame first. */
KILN_C_API size_t kiln_error_frame_count(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_frame_function(const kiln_error *, size_t, size_t frame);
KILN_C_API const char *kiln_error_frame_file(const kiln_error *, size_t, size_t frame);
KILN_C_API unsigned kiln_error_frame_line(const kiln_error *, size_t, size_t frame);
KILN_C_API unsigned kiln_error_frame_column(const kiln_error *, size_t, size_t frame);
KILN_C_API size_t kiln_error_note_count(const kiln_error *, size_t);
KILN_C_API const char *kiln_error_note_text(const kiln_error *, size_t, size_t note);
KILN_C_API const char *kiln_error_note_file(const kiln_error *, size_t, size_t note);
KILN_C_API unsigned kiln_error_note_line(const kiln_error *, size_t, size_t note);
/* The whole error, as the program kiln prints it */
KILN_C_API const char *kiln_error_text(const kiln_error *);
KILN_C_API void kiln_error_free(kiln_error *);

/* ---- sessions */

typedef struct kiln_host_library kiln_host_library; /* HostLibrary of kiln/extension/language */

typedef struct kiln_session_options { /* SessionOptions of kiln/session.h, field by field */
  size_t struct_size;
  int timings;             /* 1: time stages from the start */
  int trace_events;        /* 1: record single events too, for a trace */
  const char *dump_dir;    /* null: KILN_DUMP_DIR, or none */
  const char *trace_jobs;  /* null: KILN_TRACE_JOBS, or none; "": none */
  const char *warm_up;     /* options of jobs, in JSON, for which a worker warms up; null: none */
  size_t inference_budget; /* bytes; 0: 16 MiB */
  size_t artifact_budget;  /* bytes; 0: 16 MiB */
  unsigned cpu_threads;    /* 0: KILN_CPU_THREADS, or one a core */
  uint64_t cpu_order;    /* for tests: seed of the order of blocks; 0: KILN_CPU_ORDER, or the natural order */
  const char *cache_dir; /* null: KILN_CACHE_DIR, or the user's cache folder; "": none */
  const char *shared_cache_dir; /* null: KILN_SHARED_CACHE_DIR, or none; "": none */
  uint64_t cache_budget;        /* bytes; 0: KILN_CACHE_SIZE, or 1 GiB */
  int check_cache;              /* 1: recompile on every cache hit and compare */
  int verbosity;                /* KILN_LOG_ERROR to KILN_LOG_DEBUG; 0: KILN_LOG, or KILN_LOG_WARNING */
  /* Must call work(argument) in the embedder's oneTBB arena, so that the CPU device runs blocks there. */
  void (*cpu_arena)(void (*work)(void *argument), void *argument, void *user);
  void *cpu_arena_user;
  kiln_log_function log; /* receives log messages; null: standard error if KILN_LOG is set, else none */
  void *log_user;
  int ignore_environment;        /* 1: unset options are not read from environment variables */
  const kiln_executor *executor; /* null: oneTBB */
  const kiln_device_allocator *device_allocator; /* null: a memory pool of the CUDA driver */
  const kiln_store *store;                       /* in place of the cache's folder; null: cache_dir */
  unsigned compile_threads;                      /* maximum threads in LLVM at once; 0: no limit */
  int gdb;                                       /* 1: native code is visible to gdb */
  const char *perf_dir;       /* a folder for perf's jit-<process>.dump; null or "": none */
  int nvtx;                   /* 1: launches on GPUs are ranges of NVTX */
  unsigned worker_processes;  /* processes for LLVM and assembling; 0: none */
  const char *worker_program; /* of worker processes; null or "": KILN_WORKER, or kiln of this build */
  uint64_t worker_memory;     /* address space limit of each worker process, in bytes; 0: no limit */
  kiln_device_code_function device_code; /* receives products that @device_code_llvm shows; null: the log */
  void *device_code_user;
  int quick_tier;    /* 1: a kernel that assembles slowly first runs code that was assembled fast */
  int no_coarsening; /* 1: never run a coarsened kernel, whose threads handle several elements each */
  kiln_host_library *host_library;              /* kiln_programs_library() of kiln/c_programs.h; null: none */
  const struct kiln_language *const *languages; /* further languages besides Julia (kiln/c_frontend.h) */
  size_t language_count;
  const char *language; /* of calls and unknown files; null: "julia"; "": the first of language_files */
  const kiln_host_symbols *symbols;  /* addresses of host functions; null: none */
  const char *const *language_files; /* shared libraries with further languages */
  size_t language_file_count;
  const char *default_options; /* JSON options that a call's options_json changes; null: none */
  kiln_job_hook on_job;        /* called once for each request of a job; null: no hook */
  void *on_job_user;
  /* URLs of stores that machines share, separated by spaces; null: KILN_REMOTE_CACHE, or none; "": none */
  const char *remote;
  int compile;           /* on a cache miss: 1: compile, 2: fail with NotCompiled; 0: KILN_COMPILE, or 1 */
  double assemble_limit; /* seconds for one assembler call; negative: none; 0: KILN_ASSEMBLE_LIMIT, or none */
  uint64_t store_expiry; /* seconds after which `store` should drop entries of this session; 0: no limit */
  int cpu_tier; /* of CPU kernels: 1: auto, 2: optimised only, 3: first only; 0: KILN_CPU_TIER, or 1 */
} kiln_session_options;

KILN_C_API int kiln_session_open(const kiln_session_options *options, kiln_session **out,
                                 kiln_error **error); /* options may be null */
KILN_C_API void kiln_session_close(kiln_session *);   /* waits for its CPU streams and cache writes */
/* In a child process made by fork(), functions on the parent's sessions and handles fail with KILN_USAGE;
 * functions without a status return 0, null or "". Closing or freeing them there waits for nothing. The child
 * may open its own sessions. */

/* Loads program text into the session: evaluates its definitions. `name` is the file name in errors and debug
 * information. */
KILN_C_API int kiln_load(kiln_session *, const char *name, const char *text, size_t size, kiln_error **error);
KILN_C_API int kiln_load_file(kiln_session *, const char *path, kiln_error **error);

/* Waits until every artifact compiled so far is in the cache's folder. */
KILN_C_API int kiln_flush_cache(kiln_session *, kiln_error **error);
/* Adds a folder in which the process looks for NVIDIA's toolkit or parts of it: kiln/cuda_toolkit.h. */
KILN_C_API void kiln_add_cuda_folder(const char *folder);
/* Waits until background compiles are done: optimised and coarsened code for later launches. */
KILN_C_API int kiln_wait_for_background(kiln_session *, kiln_error **error);

/* ---- compiling */

/* Compiles a call to a product. `call` is a function with argument types: "f(T1, T2)". `options_json` holds
 * options of `kiln compile` by name: {"target": "ptx", "arch": "sm_90", "O": 2, "fastmath": true}; null or
 * "": default_options. `product` is one of "lowered", "typed", "llvm", "llvm-opt", "asm", "obj", "cubin";
 * null: "asm". */
KILN_C_API int kiln_compile(kiln_session *, const char *call, const char *options_json, const char *product,
                            kiln_artifact **out, kiln_error **error);
/* Compiles like kiln_compile for several architectures: "arch" in options_json is "sm_80,sm_90a,sm_100f" or a
 * JSON list. Writes the artifacts to `out`, in that order, and their number to *count. More than `capacity`
 * architectures are KILN_USAGE. On an error, `out` gets no artifact. */
KILN_C_API int kiln_compile_each(kiln_session *, const char *call, const char *options_json,
                                 const char *product, kiln_artifact **out, size_t capacity, size_t *count,
                                 kiln_error **error);
/* Returns the artifact's bytes; a text ends with a NUL that is not counted in *size. */
KILN_C_API const void *kiln_artifact_data(const kiln_artifact *, size_t *size);
KILN_C_API const char *kiln_artifact_entry(const kiln_artifact *); /* name of the entry's symbol */
KILN_C_API size_t
kiln_artifact_parameter_count(const kiln_artifact *); /* parameters of the entry that have bytes */
KILN_C_API uint64_t kiln_artifact_parameter_size(const kiln_artifact *, size_t parameter);      /* bytes */
KILN_C_API unsigned kiln_artifact_parameter_alignment(const kiln_artifact *, size_t parameter); /* bytes */
KILN_C_API uint64_t kiln_artifact_shared_bytes(const kiln_artifact *); /* static bytes of a block */

typedef struct kiln_resources { /* of a cubin; the last two fields for each block, the others for a thread */
  size_t struct_size;
  uint32_t registers, stack_bytes, spill_store_bytes, spill_load_bytes, constant_bytes, shared_bytes,
      barriers;
} kiln_resources;
/* Reads the resource use of a cubin. Fills the fields of `out` that struct_size covers. KILN_USAGE for
 * products other than a cubin. */
KILN_C_API int kiln_artifact_resources(const kiln_artifact *, kiln_resources *out, kiln_error **error);
KILN_C_API void kiln_artifact_free(kiln_artifact *);

/* ---- arguments */

enum {
  KILN_SCALAR = 0, /* `data` points to the value's bytes, in C's layout */
  KILN_ARRAY = 1,  /* `data` points to the first element, in the device's memory (CPU: any memory) */
  KILN_BUFFER = 2  /* an array that starts at the first byte of a buffer; `data` is the kiln_buffer */
};

typedef struct kiln_dtype { /* DLPack's: code 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool */
  uint8_t code, bits;
  uint16_t lanes; /* must be 1: elements cannot be vectors */
} kiln_dtype;

typedef struct kiln_argument {
  size_t struct_size;
  int kind; /* KILN_SCALAR, KILN_ARRAY or KILN_BUFFER */
  /* Type of the value, or of an array's elements, by its name in the language: "Float32" or a loaded struct.
   * Null: `dtype` says the type. */
  const char *type;
  kiln_dtype dtype;
  void *data;
  /* Size in bytes of a scalar, or of one element of an array. Required for structs that loaded code defines.
   * 0: the size of a built-in type. */
  size_t size;
  int ndim; /* of arrays: 1 to 32 */
  /* Number of elements in each dimension, the fastest-varying one first if strides is null */
  const int64_t *dims;
  /* Strides in elements; null: column-major and compact. Other strides must describe a compact array, such as
   * a row-major one, which the kernel then sees with reversed dimensions. */
  const int64_t *strides;
} kiln_argument;

/* ---- launching by name: compiles on first use with these argument types, launches, and waits */

/* Launches a kernel by name and waits. `device` is as for kiln_device_open; null: "cpu". */
KILN_C_API int kiln_launch(kiln_session *, const char *device, const char *function, const unsigned blocks[3],
                           const unsigned threads[3], const kiln_argument *arguments, size_t count,
                           kiln_error **error);

typedef struct kiln_launch_options {
  size_t struct_size;
  const char *device; /* as for kiln_device_open; null: the stream's device, or "cpu" */
  const char *function;
  unsigned blocks[3], threads[3]; /* 0 counts as 1 */
  uint64_t shared_bytes;          /* dynamic shared memory of a block */
  const kiln_argument *arguments;
  size_t count;
  const char *options_json; /* options of the compile, as for kiln_compile */
  kiln_stream *stream;      /* submit the launch to this stream and return at once; null: launch and wait */
  int cooperative;
  unsigned cluster[3]; /* zeros: none */
  int programmatic_serialization;
  double time_limit;            /* seconds, CPU only; 0: none */
  const kiln_stop_source *stop; /* can stop this launch; null: none */
} kiln_launch_options;

KILN_C_API int kiln_launch_ex(kiln_session *, const kiln_launch_options *, kiln_error **error);

/* ---- devices */

KILN_C_API int kiln_device_open(kiln_session *, const char *device, kiln_device **out,
                                kiln_error **error); /* "cpu", "cuda:1", "opencl" (kiln/device_name.h) */
KILN_C_API int kiln_device_in_context(kiln_session *, void *cuda_context, kiln_device **out,
                                      kiln_error **error); /* the CUcontext must outlive the device */
KILN_C_API int kiln_gpu_count(kiln_session *, size_t *out, kiln_error **error); /* GPUs of CUDA */
enum { KILN_DEVICE_CPU = 0, KILN_DEVICE_CUDA = 1, KILN_DEVICE_OPENCL = 2 };
KILN_C_API int kiln_device_count(kiln_session *, int kind, size_t *out, kiln_error **error); /* by kind */
KILN_C_API const char *kiln_device_name(const kiln_device *);       /* "" for the CPU */
KILN_C_API int kiln_device_is_gpu(const kiln_device *);             /* 1: CUDA or OpenCL */
KILN_C_API int kiln_device_compute_capability(const kiln_device *); /* 90; 0: no GPU of CUDA */
KILN_C_API uint64_t kiln_device_memory_bytes(const kiln_device *);
KILN_C_API void *kiln_device_context(const kiln_device *); /* CUcontext or cl_context; null for the CPU */
KILN_C_API int kiln_device_synchronize(kiln_device *, kiln_error **error);
KILN_C_API int kiln_device_free_memory(kiln_device *, uint64_t *out, kiln_error **error);
KILN_C_API int kiln_device_trim(kiln_device *, uint64_t keep, kiln_error **error);
KILN_C_API int kiln_device_allocate_pinned(kiln_device *, uint64_t bytes, kiln_buffer **out,
                                           kiln_error **error);
KILN_C_API void kiln_device_free(kiln_device *);

/* ---- kernel handles: compiled and loaded once, then launched without a look-up by name */

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
  const kiln_stop_source *stop; /* can stop this launch; null: none */
} kiln_shape;

/* Submits a launch to a stream of the kernel's device. arguments[i] points to the bytes of the kernel's i-th
 * parameter (kiln_artifact_parameter_size): a scalar's value or an array's header (kiln_array_header). The
 * call copies these bytes. kiln_stream_synchronize reports errors of the running kernel. */
KILN_C_API int kiln_kernel_launch(kiln_kernel *, kiln_stream *, const kiln_shape *,
                                  const void *const *arguments, size_t count, kiln_error **error);
/* Writes the header of a column-major array, which kernels receive by value: ndim + 3 words of 8 bytes.
 * KILN_USAGE for a negative dimension, or an array whose size in bytes exceeds an int64_t. */
KILN_C_API int kiln_array_header(void *out, size_t out_size, void *data, size_t element_size, int ndim,
                                 const int64_t *dims, kiln_error **error);
KILN_C_API void kiln_kernel_free(kiln_kernel *);

/* Describes an array for the tensor copies (TMA) of Hopper kernels. The fields are those of TensorMapOptions
 * in kiln/tensor_map.h. */
typedef struct kiln_tensor_map_options {
  size_t struct_size;
  const char *element; /* "Float16" */
  void *data;
  int ndim;                /* number of dimensions, 1 to 5; the contiguous dimension comes first */
  const uint64_t *lengths; /* `ndim` lengths in elements */
  const uint64_t *strides; /* `ndim` - 1 strides in bytes, from the second dimension on; null: compact */
  const uint32_t *box;     /* sizes of the copied box, `ndim` numbers in elements */
  uint32_t swizzle_bytes;
  int nan_outside;
} kiln_tensor_map_options;
/* Writes the 128 bytes of a tensor map, which a kernel receives by value. *type (`type` may be null) becomes
 * the argument's type in the language, such as "Hopper.TensorMap{Float16, 2}". The tensor map refers to the
 * array's memory and does not keep it alive. */
KILN_C_API int kiln_tensor_map(const kiln_device *, const kiln_tensor_map_options *, void *out,
                               size_t out_size, char **type, kiln_error **error);

/* ---- streams, events, memory, graphs */

KILN_C_API int kiln_stream_open(kiln_session *, const kiln_device *, kiln_stream **out, kiln_error **error);
KILN_C_API int kiln_stream_of(kiln_session *, const kiln_device *, void *native_stream, kiln_stream **out,
                              kiln_error **error); /* a CUstream or cl_command_queue that outlives it */
KILN_C_API int kiln_stream_copy(kiln_stream *, void *to, const void *from, uint64_t bytes,
                                kiln_error **error);
KILN_C_API int kiln_stream_fill(kiln_stream *, void *to, uint8_t value, uint64_t bytes, kiln_error **error);
KILN_C_API int kiln_stream_allocate(kiln_stream *, uint64_t bytes, kiln_buffer **out, kiln_error **error);
KILN_C_API int kiln_stream_record(kiln_stream *, kiln_event *, kiln_error **error);
KILN_C_API int kiln_stream_wait(kiln_stream *, const kiln_event *, kiln_error **error);
/* Waits until the stream is empty; returns the first error since the last call. */
KILN_C_API int kiln_stream_synchronize(kiln_stream *, kiln_error **error);
KILN_C_API int kiln_stream_idle(const kiln_stream *); /* 1: all submitted work is done */
KILN_C_API int kiln_stream_capture_begin(kiln_stream *, kiln_error **error);
KILN_C_API int kiln_stream_capture_end(kiln_stream *, kiln_graph **out, kiln_error **error);
KILN_C_API int kiln_stream_launch_graph(kiln_stream *, const kiln_graph *, kiln_error **error);
KILN_C_API void *kiln_stream_native(const kiln_stream *); /* CUstream or cl_command_queue; null for the CPU */
KILN_C_API void kiln_stream_free(kiln_stream *);          /* waits for the submitted work */
KILN_C_API void kiln_graph_free(kiln_graph *);

KILN_C_API int kiln_event_create(kiln_event **out, kiln_error **error);
/* Returns 1 if the stream has reached the last record of the event, or if there was none. */
KILN_C_API int kiln_event_done(const kiln_event *);
KILN_C_API int kiln_event_wait(const kiln_event *, kiln_error **error);
KILN_C_API int kiln_event_seconds(const kiln_event *from, const kiln_event *to, double *out,
                                  kiln_error **error);
KILN_C_API void kiln_event_free(kiln_event *);

KILN_C_API void *kiln_buffer_data(const kiln_buffer *);
KILN_C_API uint64_t kiln_buffer_bytes(const kiln_buffer *);
KILN_C_API void kiln_buffer_free(kiln_buffer *);

/* ---- reports */

/* Writes the session's timing report. `form`: "table" (also if null), "short" (the ten largest rows), "json"
 * or "html" (a page). If single events are recorded (trace_events), the page has a timeline, and `form` may
 * be "trace" (Chrome's trace events) or "otlp" (OpenTelemetry's spans as JSON). */
KILN_C_API int kiln_timings(kiln_session *, const char *form, char **text, kiln_error **error);
/* Start, stop and clear the session's timings. `trace_events` 1: record single events too. `passes` 1: a row
 * for each LLVM pass. */
KILN_C_API int kiln_timings_start(kiln_session *, int trace_events, int passes, kiln_error **error);
KILN_C_API int kiln_timings_stop(kiln_session *, kiln_error **error);
KILN_C_API int kiln_timings_reset(kiln_session *, kiln_error **error);
/* The caller's own row in the timings, from kiln_timings_begin to kiln_timings_end on the same thread. Rows
 * nest: the last one begun ends first. Work of the thread meanwhile counts for `job` (null: no job). The
 * session must outlive the scope. */
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
