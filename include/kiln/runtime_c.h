/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches kernels of a bundle from C, without a compiler. kiln/bundle.h and kiln/runtime.h are the C++ form.
 * docs/guide/bundles.md is the tour. Conventions (statuses, handles, structures, strings, threads) are those
 * of kiln/c.h.
 *
 * The CMake target Kiln::runtime has the functions of this header and of kiln/c_device.h. Of kiln/c.h, it has
 * kiln_version, kiln_has_feature, kiln_text_free, kiln_array_header, and those that begin with kiln_error_,
 * kiln_device_ (but for kiln_device_open and kiln_device_in_context), kiln_stream_ (but for kiln_stream_open
 * and kiln_stream_of), kiln_event_, kiln_buffer_, kiln_graph_, and of kiln_kernel_ suggest, launch and free.
 * Kiln::c has all of them.
 */
#ifndef KILN_RUNTIME_C_H
#define KILN_RUNTIME_C_H

#include <kiln/c.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_runtime kiln_runtime;
typedef struct kiln_bundle kiln_bundle;

/* ---- devices and streams without a session */

typedef struct kiln_runtime_options {
  size_t struct_size;
  unsigned cpu_threads; /* number of threads that run blocks; 0: oneTBB's default */
  /* See kiln_session_options.cpu_arena. */
  void (*cpu_arena)(void (*work)(void *argument), void *argument, void *user);
  void *cpu_arena_user;
} kiln_runtime_options;

KILN_C_API int kiln_runtime_open(const kiln_runtime_options *options, kiln_runtime **out,
                                 kiln_error **error); /* options may be null */
KILN_C_API void kiln_runtime_close(kiln_runtime *);   /* waits for the work in its CPU streams */
/* Opens a device; the names are those of kiln_device_open. */
KILN_C_API int kiln_runtime_device(kiln_runtime *, const char *device, kiln_device **out, kiln_error **error);
KILN_C_API int kiln_runtime_device_in_context(
    kiln_runtime *, void *cuda_context, kiln_device **out,
    kiln_error **error); /* `cuda_context` must outlive the device */
KILN_C_API int kiln_runtime_gpu_count(kiln_runtime *, size_t *out, kiln_error **error); /* GPUs of CUDA */
/* *out becomes the number of devices of a kind, such as KILN_DEVICE_OPENCL. */
KILN_C_API int kiln_runtime_device_count(kiln_runtime *, int kind, size_t *out, kiln_error **error);
KILN_C_API int kiln_runtime_stream(kiln_runtime *, const kiln_device *, kiln_stream **out,
                                   kiln_error **error);
/* Wraps the caller's CUstream, or cl_command_queue in the device's context, which must outlive the handle. */
KILN_C_API int kiln_runtime_stream_of(kiln_runtime *, const kiln_device *, void *native_stream,
                                      kiln_stream **out, kiln_error **error);

/* ---- bundles */

typedef struct kiln_bundle_options {
  size_t struct_size;
  int max_cpu_level; /* highest level to load: 2 to 4 on x86-64, 1 or 2 on AArch64; 0: the processor's */
  int prefer_ptx;    /* 1: load PTX, which the driver assembles, even if there is a cubin */
  const kiln_host_symbols
      *symbols; /* addresses of host functions that kernels for the CPU call; null: none */
} kiln_bundle_options;

/* Opens a bundle. The file must not change while the bundle is open. `options` may be null. */
KILN_C_API int kiln_bundle_open(const char *path, const kiln_bundle_options *options, kiln_bundle **out,
                                kiln_error **error);
/* Opens a bundle in the caller's memory. `data` must be aligned to 8 bytes and outlive the bundle. */
KILN_C_API int kiln_bundle_open_memory(const void *data, size_t size, const kiln_bundle_options *options,
                                       kiln_bundle **out, kiln_error **error);
KILN_C_API void kiln_bundle_free(kiln_bundle *); /* loaded kernels stay usable */
KILN_C_API size_t kiln_bundle_count(const kiln_bundle *);
KILN_C_API const char *kiln_bundle_kernel_name(const kiln_bundle *,
                                               size_t kernel); /* valid until the bundle is freed */
KILN_C_API const char *kiln_bundle_kernel_signature(const kiln_bundle *,
                                                    size_t kernel); /* types of all arguments */
/* Returns the language in which the kernel was written: "julia". */
KILN_C_API const char *kiln_bundle_kernel_language(const kiln_bundle *, size_t kernel);
/* Checks the code of all kernels against its checksums. */
KILN_C_API int kiln_bundle_verify(const kiln_bundle *, kiln_error **error);

/* Loads a kernel on a device. `signature` is the text of kiln_bundle_kernel_signature, spaces ignored, or the
 * types as the bundle's job list wrote them. It may be null if only one kernel has that name. */
KILN_C_API int kiln_bundle_load(const kiln_bundle *, const char *name, const char *signature,
                                const kiln_device *, kiln_kernel **out, kiln_error **error);
/* Loads the kernel on the stream's device, if it is not loaded yet, and submits a launch to the stream.
 * Checks the arguments' types against the kernel's. */
KILN_C_API int kiln_bundle_launch(const kiln_bundle *, const char *name, const char *signature, kiln_stream *,
                                  const kiln_shape *, const kiln_argument *arguments, size_t count,
                                  kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
