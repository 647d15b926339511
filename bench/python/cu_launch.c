// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuLaunchKernel by itself, for launch.py: what every library's launch has in it. Built on the spot by cc,
// the driver is opened at run time.
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

typedef int (*Launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                      void **, void **);

static int (*init)(unsigned);
static int (*retain)(void **, int);
static int (*set_current)(void *);
static int (*load)(void **, const void *);
static int (*get_function)(void **, void *, const char *);
static Launch launch_kernel;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Makes the first device's primary context current. `took`: seconds of cuInit, and of the context. 0, or
/// what the driver said.
int cu_open(double *took) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return -1;
  *(void **)&init = dlsym(driver, "cuInit");
  *(void **)&retain = dlsym(driver, "cuDevicePrimaryCtxRetain");
  *(void **)&set_current = dlsym(driver, "cuCtxSetCurrent");
  *(void **)&load = dlsym(driver, "cuModuleLoadData");
  *(void **)&get_function = dlsym(driver, "cuModuleGetFunction");
  *(void **)&launch_kernel = dlsym(driver, "cuLaunchKernel");
  void *context = NULL;
  double begin = seconds();
  int status = init(0);
  took[0] = seconds() - begin;
  begin = seconds();
  if (!status) status = retain(&context, 0);
  took[1] = seconds() - begin;
  return status ? status : set_current(context);
}

/// The function `kernel` of a PTX text; null if the driver does not take it.
void *cu_kernel(const char *ptx) {
  void *module = NULL, *function = NULL;
  if (load(&module, ptx) || get_function(&function, module, "kernel")) return NULL;
  return function;
}

/// Microseconds a launch, of `count` launches of one block of 32 threads into the legacy default stream;
/// negative: the driver's error.
double cu_launches(void *function, int count) {
  static char value[4096]; // what each parameter points to
  void *parameters[512];
  for (int i = 0; i < 512; i++) parameters[i] = value;
  const double begin = seconds();
  for (int i = 0; i < count; i++) {
    const int status = launch_kernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL);
    if (status) return -status;
  }
  return (seconds() - begin) * 1e6 / count;
}
