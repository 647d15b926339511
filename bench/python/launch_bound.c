// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuLaunchKernel alone, for launch.py, which compiles this: what no launch through the driver goes below. Its
// kernels do nothing and take 8 bytes, then arrays of `bytes` bytes each.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int (*Load)(void **module, const void *image);
typedef int (*Find)(void **function, void *module, const char *name);
typedef int (*Launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      void *, void **, void **);

static Launch launch;
static unsigned char zeros[256];
static void *arguments[32];

/// A kernel of so many arrays; null without a driver or a current context.
void *bound_kernel(int arrays, int bytes) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW), *module = NULL, *function = NULL;
  if (!driver || arrays > 31 || bytes > (int)sizeof zeros) return NULL;
  Load load = (Load)dlsym(driver, "cuModuleLoadData");
  Find find = (Find)dlsym(driver, "cuModuleGetFunction");
  launch = (Launch)dlsym(driver, "cuLaunchKernel");
  static char text[8192];
  int n = snprintf(
      text, sizeof text,
      ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry bound(.param .align 8 .b8 state[8]");
  for (int i = 0; i < arrays; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, ", .param .align 8 .b8 a%d[%d]", i, bytes);
  snprintf(text + n, sizeof text - (size_t)n, ") { ret; }\n");
  for (int i = 0; i < 32; i++) arguments[i] = zeros;
  if (load(&module, text) || find(&function, module, "bound")) return NULL;
  return function;
}

/// Microseconds of a launch, of `count` without waiting; negative: one failed.
double bound_microseconds(void *function, int count) {
  struct timespec begin, end;
  int failed = 0;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < count; i++) failed |= launch(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return failed ? -1 : ((end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) * 1e-3) / count;
}
