/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Libraries that no session takes, each by a fault of its own: -DFAULT_<fault>.
 */
#include <kiln/c_frontend.h>

static int nothing(const kiln_language_call *call, void *user) {
  (void)call, (void)user;
  return 0;
}
static const kiln_language language = {.struct_size = sizeof language,
#ifdef FAULT_julia
                                       .name = "julia",
#else
                                       .name = "faulty",
#endif
#ifdef FAULT_extension
                                       .extensions = ".jl",
#endif
#ifndef FAULT_incomplete
                                       .resolve = nothing,
#endif
                                       .load = nothing,
                                       .evaluate = nothing};

#ifdef FAULT_other_build
extern KILN_C_API const char kiln_language_abi[];
const char kiln_language_abi[] = "C++ headers 0000000000000000 of Kiln 0.2.0";
KILN_C_API void kiln_language_library(kiln_language_list *list) {
  kiln_language_list_add(list, &language, 0);
}
#elif !defined FAULT_no_entry
KILN_C_LANGUAGE_LIBRARY(list) {
#ifdef FAULT_newer
  extern void kiln_of_a_later_version(kiln_language_list *);
  kiln_of_a_later_version(list);
#endif
#ifdef FAULT_fails
  kiln_language_list_fail(list, "its licence has ended", 0);
#endif
#ifndef FAULT_empty
  kiln_language_list_add(list, &language, 0);
#endif
}
#endif

#ifdef FAULT_second_kiln
const char *kiln_build_id(void) { return "0123456789abcdef"; }
#endif
#ifdef FAULT_no_entry
const void *unused(void) { return &language; }
#endif
