// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exports of the shared library. Everything is compiled with hidden visibility; the public headers mark the
// classes and functions that a program links against.
#pragma once

#include <kiln/version.h>

#if defined(__GNUC__)
#define KILN_API [[gnu::visibility("default")]]
#define KILN_LOCAL [[gnu::visibility("hidden")]] // a private part of an exported class
// For libkiln-programs.so of the same build alone, without a promise of stability.
#define KILN_PROGRAMS_API [[gnu::visibility("default")]]
#else
#define KILN_API
#define KILN_LOCAL
#define KILN_PROGRAMS_API
#endif
