// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that mark the exported classes and functions of the shared library. All other symbols are compiled
// with hidden visibility.
#pragma once

#include <kiln/version.h>

#if defined(__GNUC__)
#define KILN_API [[gnu::visibility("default")]]
#define KILN_LOCAL [[gnu::visibility("hidden")]] // hides a private member of an exported class
// Exported only for libkiln-programs.so of the same build; not a part of the public API.
#define KILN_PROGRAMS_API [[gnu::visibility("default")]]
#else
#define KILN_API
#define KILN_LOCAL
#define KILN_PROGRAMS_API
#endif
