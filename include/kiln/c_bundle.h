/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bundles in C: writes the kernels of a list of jobs as one file for programs without a compiler
 * (kiln/runtime_c.h opens it). kiln/bundle_writer.h documents the C++ form, docs/guide/bundles.md is the
 * tour. Statuses, errors, handles, structures and strings are as kiln/c.h says. A library built without the
 * bundle writer lacks these functions: test kiln_has_feature("bundle_writer").
 */
#ifndef KILN_C_BUNDLE_H
#define KILN_C_BUNDLE_H

#include <kiln/c_cache.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_bundle_writer_options { /* BundleWriterOptions */
  size_t struct_size;
  const kiln_session_options *session; /* options of the sessions that compile; null: the defaults */
  unsigned threads;                    /* number of jobs compiled at once; 0: one per core */
  const char *wrappers_namespace;      /* namespace of a generated C++ header; null or "": no header */
  const char *file_name;               /* name of the bundle's file, for the header's comment; may be null */
} kiln_bundle_writer_options;

typedef struct kiln_bundle_report { /* WrittenBundle */
  size_t struct_size;
  size_t kernels;
  size_t cpu_images, cubins, ptx_texts; /* pieces of code by kind, over all kernels and architectures */
  size_t not_assembled;                 /* jobs for a GPU that have PTX but no cubin, without an assembler */
  size_t changed;                       /* source files that changed since the trace was recorded */
  size_t spirv_modules;                 /* pieces of code for OpenCL devices */
} kiln_bundle_report;

/* Compiles the jobs and makes a bundle of their kernels. *bytes becomes the file's content of *size bytes;
 * free it with kiln_text_free. kiln_bundle_open_memory accepts it as it is. *wrappers becomes the generated
 * C++ header, null without a wrappers_namespace; `wrappers`, `options` and `report` may be null. `each` gets
 * the jobs' errors as in kiln_precompile_list. If a job fails, no bundle is made. KILN_USAGE also for two
 * jobs of the same kernel and target, and for an empty list. */
KILN_C_API int kiln_make_bundle(const kiln_job_list *, const kiln_bundle_writer_options *options,
                                char **bytes, size_t *size, char **wrappers, kiln_bundle_report *report,
                                kiln_error **each, kiln_error **error);
/* *text becomes a valid C++ identifier made of a kernel's name; free it with kiln_text_free. */
KILN_C_API int kiln_cpp_name(const char *name, char **text, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
