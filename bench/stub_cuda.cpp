// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA driver whose launches return at once, so that launch_overhead measures Kiln alone: what is not here
// is the fake driver's of test/support/fake_cuda, which this library links.
#include <dlfcn.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
thread_local void *current = nullptr;
}

EXPORT int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          void *, void **, void **) {
  return 0;
}
EXPORT int cuCtxSetCurrent(void *context) {
  static const auto next = reinterpret_cast<int (*)(void *)>(::dlsym(RTLD_NEXT, "cuCtxSetCurrent"));
  const int status = next(context);
  if (status == 0) current = context;
  return status;
}
EXPORT int cuCtxGetCurrent(void **context) {
  *context = current;
  return 0;
}
