// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kiln's version as macros, and the inline namespace with the version in its name. Every C++ header includes
// this one.
#pragma once

#if defined(__cplusplus) && __cplusplus < 202002L
#error "Kiln's C++ headers need C++20: compile with -std=c++20 or later, or include kiln/c.h, which needs C99"
#endif

#define KILN_VERSION_MAJOR 0
#define KILN_VERSION_MINOR 3
#define KILN_VERSION_PATCH 0

#define KILN_VERSION_JOIN_(major, minor) v##major##_##minor
#define KILN_VERSION_JOIN(major, minor) KILN_VERSION_JOIN_(major, minor)
/// Name of the inline namespace that contains all declarations of kiln/*.h, such as v0_3. A program that was
/// compiled with headers of another minor version does not link: docs/adr/033-versioned-names.md.
#define KILN_API_VERSION KILN_VERSION_JOIN(KILN_VERSION_MAJOR, KILN_VERSION_MINOR)

#define KILN_VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define KILN_VERSION_TEXT(major, minor, patch) KILN_VERSION_TEXT_(major, minor, patch)
#define KILN_VERSION                                                                                         \
  KILN_VERSION_TEXT(KILN_VERSION_MAJOR, KILN_VERSION_MINOR, KILN_VERSION_PATCH) ///< "0.3.0"
