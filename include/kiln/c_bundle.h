/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bundles in C: writes the kernels of a list of jobs as one file for programs without a compiler
 * (kiln/runtime_c.h opens it). kiln/bundle_writer.h has the details, docs/guide/bundles.md is the tour.
 * Statuses, errors, handles, structures and strings follow kiln/c.h. A library built without bundles has none
 * of these functions: kiln_has_feature("bundle_writer").
 */
#ifndef KILN_C_BUNDLE_H
#define KILN_C_BUNDLE_H

#include <kiln/c_cache.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_bundle_writer_options { /* BundleWriterOptions */
  size_t struct_size;
  const kiln_session_options *session; /* of the sessions that compile; null: the defaults */
  unsigned threads;                    /* jobs at a time; 0: one a core */
  const char *wrappers_namespace;      /* of the C++ header; null or "": no header */
  const char *file_name;               /* of the bundle, for the header's comment; may be null */
} kiln_bundle_writer_options;

typedef struct kiln_bundle_report { /* WrittenBundle */
  size_t struct_size;
  size_t kernels;
  size_t cpu_images, cubins, ptx_texts; /* codes of the kernels, for all architectures */
  size_t not_assembled;                 /* jobs for a GPU with PTX only */
  size_t changed;                       /* files that differ from those of the recorded trace */
} kiln_bundle_report;

/* Compiles the jobs and makes a bundle of their kernels. *bytes is the file's content, `size` bytes, for
 * kiln_text_free, and can be given to kiln_bundle_open_memory as it is. `wrappers` (may be null) becomes the
 * C++ header, null without a wrappers_namespace. `options` and `report` may be null. `each` is as
 * kiln_precompile_list's. Where a job fails there is no bundle. KILN_USAGE also for two jobs of the same
 * kernel and target, and for an empty list. */
KILN_C_API int kiln_make_bundle(const kiln_job_list *, const kiln_bundle_writer_options *options,
                                char **bytes, size_t *size, char **wrappers, kiln_bundle_report *report,
                                kiln_error **each, kiln_error **error);
/* A C++ identifier for a kernel's name; for kiln_text_free. */
KILN_C_API int kiln_cpp_name(const char *name, char **text, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
