/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * More about devices, kernels, streams and bundles: kiln/device.h, kiln/stream.h and kiln/bundle.h in C.
 * Statuses, errors, handles, structures and strings are as kiln/c.h says. The CMake target Kiln::runtime, a
 * library without a compiler, has all of these functions.
 */
#ifndef KILN_C_DEVICE_H
#define KILN_C_DEVICE_H

#include <kiln/runtime_c.h>

#ifdef __cplusplus
extern "C" {
#endif

KILN_C_API int kiln_device_kind(const kiln_device *); /* such as KILN_DEVICE_CUDA */
/* Platform and versions of an OpenCL device's driver; "" for other devices */
KILN_C_API const char *kiln_device_driver(const kiln_device *);
/* avoid_opencl_driver_faults() of kiln/opencl.h: call it at the start of main(), before other threads */
KILN_C_API void kiln_avoid_opencl_driver_faults(void);
/* The driver's number of the device; -1: the CPU or a bad handle */
KILN_C_API int kiln_device_number(const kiln_device *);
/* Number of multiprocessors of a GPU; on the CPU, the number of threads that run blocks. */
KILN_C_API unsigned kiln_device_multiprocessors(const kiln_device *);

typedef struct kiln_device_limits { /* DeviceLimits: maximum values for launches on a device */
  size_t struct_size;
  uint32_t threads_of_block;
  uint32_t block[3], grid[3];
  uint64_t shared_bytes; /* maximum of a block, static and dynamic together */
  uint64_t shared_bytes_of_multiprocessor;
  uint32_t registers_of_block, warp, threads_of_multiprocessor;
  uint64_t l2_bytes;
  int cooperative, clusters;
} kiln_device_limits;
KILN_C_API int kiln_device_read_limits(const kiln_device *, kiln_device_limits *out, kiln_error **error);

typedef struct kiln_memory_counters { /* MemoryCounters: memory from kiln_stream_allocate */
  size_t struct_size;
  uint64_t current_bytes, peak_bytes, allocations, reserved_bytes;
} kiln_memory_counters;
KILN_C_API int kiln_device_memory(const kiln_device *, kiln_memory_counters *out, kiln_error **error);
/* Sets how much freed memory the device's allocator keeps for later buffers. The default is to keep all. */
KILN_C_API int kiln_device_set_kept_memory(const kiln_device *, uint64_t bytes, kiln_error **error);

/* *out becomes the device of a kernel or stream; the handle is the caller's (kiln_device_free). */
KILN_C_API int kiln_kernel_device(const kiln_kernel *, kiln_device **out, kiln_error **error);
KILN_C_API int kiln_stream_device(const kiln_stream *, kiln_device **out, kiln_error **error);
/* Finds a global variable of a GPU kernel's module by its name in the assembly. *address becomes its address
 * on the device, for kiln_stream_copy, and *bytes its size. KILN_INPUT: no variable has that name.
 * KILN_USAGE: the kernel is for the CPU. */
KILN_C_API int kiln_kernel_global(const kiln_kernel *, const char *name, void **address, uint64_t *bytes,
                                  kiln_error **error);

/* ---- kernels of a bundle. Returned strings are valid until the bundle is freed. */

typedef struct kiln_bundle_parameter { /* BundleParameter */
  size_t struct_size;
  const char *name;  /* name in the kernel's source; "": unnamed there */
  const char *type;  /* "CuDeviceArray{Float32, 1, 1}" */
  uint32_t argument; /* position among all arguments of the kernel, from 1 */
  uint32_t align;
  uint64_t size; /* bytes */
} kiln_bundle_parameter;
KILN_C_API size_t kiln_bundle_parameter_count(const kiln_bundle *, size_t kernel);
/* Reads a kernel's parameter by its index. KILN_USAGE: there is no such kernel or parameter. */
KILN_C_API int kiln_bundle_read_parameter(const kiln_bundle *, size_t kernel, size_t parameter,
                                          kiln_bundle_parameter *out, kiln_error **error);

enum { KILN_CODE_CPU = 0, KILN_CODE_CUBIN = 1, KILN_CODE_PTX = 2, KILN_CODE_SPIRV = 3 };
typedef struct kiln_bundle_code { /* BundleCode */
  size_t struct_size;
  int kind;
  int ptx_isa; /* PTX: its ISA version x 10; other kinds: 0 */
  uint64_t bytes;
  char architecture[32]; /* "x86-64-v3", "sm_90", "spirv-1.2"; longer names are cut off */
} kiln_bundle_code;
KILN_C_API size_t kiln_bundle_code_count(const kiln_bundle *, size_t kernel);
/* Reads a description of a kernel's code by its index. KILN_USAGE: there is no such kernel or code. */
KILN_C_API int kiln_bundle_read_code(const kiln_bundle *, size_t kernel, size_t code, kiln_bundle_code *out,
                                     kiln_error **error);

/* ---- StopSource: ends launches on the CPU from another thread or a signal handler (kiln/stop.h) */

KILN_C_API int kiln_stop_source_create(kiln_stop_source **out, kiln_error **error);
/* Requests a stop: launches and calls that were given the source end with the error kind "Stopped". So do
 * later ones, until kiln_stop_source_reset. kiln_shape.stop, kiln_launch_options.stop and
 * kiln_function_call_with take a source. Returns 1 if no request was pending. Async-signal-safe, as long as
 * no thread frees the source meanwhile. */
KILN_C_API int kiln_stop_source_request(const kiln_stop_source *);
KILN_C_API int kiln_stop_source_requested(const kiln_stop_source *); /* async-signal-safe too */
KILN_C_API int kiln_stop_source_reset(const kiln_stop_source *, kiln_error **error);
KILN_C_API void kiln_stop_source_free(kiln_stop_source *); /* running launches keep the source's state */

#ifdef __cplusplus
}
#endif
#endif
