/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The programs library in C: libkiln-programs.so, CMake's Kiln::programs_c. Of the same build as libkiln.so.
 */
#ifndef KILN_C_PROGRAMS_H
#define KILN_C_PROGRAMS_H

#include <kiln/c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For kiln_session_options.host_library. Lives as long as the process. */
KILN_C_API kiln_host_library *kiln_programs_library(void);

#ifdef __cplusplus
}
#endif

#endif
