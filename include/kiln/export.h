// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the shared library exports: everything is compiled with hidden visibility, and the public headers mark
// the classes and functions that a program links against.
#pragma once

#include <kiln/version.h>

#if defined(__GNUC__)
#define KILN_API [[gnu::visibility("default")]]
#define KILN_LOCAL [[gnu::visibility("hidden")]] // a private part of an exported class
// For libkiln-programs.so of the same build alone: no promise to anybody else.
#define KILN_PROGRAMS_API [[gnu::visibility("default")]]
#else
#define KILN_API
#define KILN_LOCAL
#define KILN_PROGRAMS_API
#endif
