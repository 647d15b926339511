// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dynlib.h"

#include <dlfcn.h>

namespace kiln {

Result<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string> &candidates) {
  std::string attempts;
  for (const std::string &candidate : candidates) {
    if (void *handle = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
      return DynamicLibrary(handle, candidate);
    const char *why = ::dlerror();
    attempts += "\n  " + (why ? std::string(why) : candidate + ": unknown reason");
  }
  return machine_error("cannot load a dynamic library; tried:" + (attempts.empty() ? " nothing" : attempts));
}

void *DynamicLibrary::symbol(const char *name) const { return ::dlsym(handle_, name); }

} // namespace kiln
