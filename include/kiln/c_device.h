/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * More about devices, kernels, streams and bundles: kiln/device.h, kiln/stream.h and kiln/bundle.h in C.
 * Statuses, errors, handles, structures and strings follow kiln/c.h. Kiln::runtime has all of these
 * functions.
 */
#ifndef KILN_C_DEVICE_H
#define KILN_C_DEVICE_H

#include <kiln/runtime_c.h>

#ifdef __cplusplus
extern "C" {
#endif

KILN_C_API int kiln_device_number(const kiln_device *); /* as CUDA counts; -1: the CPU, or no device */
/* The CPU: threads that run blocks. */
KILN_C_API unsigned kiln_device_multiprocessors(const kiln_device *);

typedef struct kiln_device_limits { /* DeviceLimits: maxima of a launch */
  size_t struct_size;
  uint32_t threads_of_block;
  uint32_t block[3], grid[3];
  uint64_t shared_bytes; /* of a block, static and dynamic together */
  uint64_t shared_bytes_of_multiprocessor;
  uint32_t registers_of_block, warp, threads_of_multiprocessor;
  uint64_t l2_bytes;
  int cooperative, clusters;
} kiln_device_limits;
KILN_C_API int kiln_device_read_limits(const kiln_device *, kiln_device_limits *out, kiln_error **error);

typedef struct kiln_memory_counters { /* MemoryCounters: of kiln_stream_allocate, in bytes */
  size_t struct_size;
  uint64_t current_bytes, peak_bytes, allocations, reserved_bytes;
} kiln_memory_counters;
KILN_C_API int kiln_device_memory(const kiln_device *, kiln_memory_counters *out, kiln_error **error);
/* Sets the amount of unused memory that the allocator keeps for later buffers. By default it keeps all. */
KILN_C_API int kiln_device_set_kept_memory(const kiln_device *, uint64_t bytes, kiln_error **error);

/* The device of a kernel or stream; the caller's (kiln_device_free). */
KILN_C_API int kiln_kernel_device(const kiln_kernel *, kiln_device **out, kiln_error **error);
KILN_C_API int kiln_stream_device(const kiln_stream *, kiln_device **out, kiln_error **error);
/* A variable of the kernel's module by its name in the assembly: its address on the device, for
 * kiln_stream_copy, and its size. KILN_INPUT: there is none of that name; KILN_USAGE: the CPU. */
KILN_C_API int kiln_kernel_global(const kiln_kernel *, const char *name, void **address, uint64_t *bytes,
                                  kiln_error **error);

/* ---- kernels of a bundle. Strings belong to the bundle. */

typedef struct kiln_bundle_parameter { /* BundleParameter */
  size_t struct_size;
  const char *name;  /* as the kernel's source has it; "": none */
  const char *type;  /* "CuDeviceArray{Float32, 1, 1}" */
  uint32_t argument; /* counted from 1 */
  uint32_t align;
  uint64_t size; /* bytes */
} kiln_bundle_parameter;
KILN_C_API size_t kiln_bundle_parameter_count(const kiln_bundle *, size_t kernel);
/* KILN_USAGE: there is no such kernel or parameter. */
KILN_C_API int kiln_bundle_read_parameter(const kiln_bundle *, size_t kernel, size_t parameter,
                                          kiln_bundle_parameter *out, kiln_error **error);

enum { KILN_CODE_CPU = 0, KILN_CODE_CUBIN = 1, KILN_CODE_PTX = 2 };
typedef struct kiln_bundle_code { /* BundleCode */
  size_t struct_size;
  int kind;
  int ptx_isa; /* of PTX: ISA version x 10; else 0 */
  uint64_t bytes;
  char architecture[32]; /* "x86-64-v3", "sm_90"; cut off if it is longer */
} kiln_bundle_code;
KILN_C_API size_t kiln_bundle_code_count(const kiln_bundle *, size_t kernel);
/* KILN_USAGE: there is no such kernel or code. */
KILN_C_API int kiln_bundle_read_code(const kiln_bundle *, size_t kernel, size_t code, kiln_bundle_code *out,
                                     kiln_error **error);

/* ---- StopSource: ends launches on the CPU from another thread or a signal handler (kiln/stop.h) */

KILN_C_API int kiln_stop_source_create(kiln_stop_source **out, kiln_error **error);
/* Stops launches and calls that have the source (kiln_shape.stop, kiln_launch_options.stop,
 * kiln_function_call_with), also later ones until kiln_stop_source_reset. They end with the kind "Stopped".
 * Returns 1 if no request was pending. Async-signal-safe, as long as no thread frees the source meanwhile. */
KILN_C_API int kiln_stop_source_request(const kiln_stop_source *);
KILN_C_API int kiln_stop_source_requested(const kiln_stop_source *); /* async-signal-safe too */
KILN_C_API int kiln_stop_source_reset(const kiln_stop_source *, kiln_error **error);
KILN_C_API void kiln_stop_source_free(kiln_stop_source *); /* launches keep its state */

#ifdef __cplusplus
}
#endif
#endif
