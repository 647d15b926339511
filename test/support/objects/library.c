// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of libc and libm, and the address of a function of Kiln's own.
#include <math.h>
#include <string.h>

double curve(double x) { return sin(x) * exp(x); }

long last_letter(const char *text) { return text[strlen(text) - 1]; }

extern void kiln_native_rounds(void);
void *rounds(void) { return (void *)&kiln_native_rounds; }
