// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dynlib.h"

#include <dlfcn.h>
#include <utility>

namespace kiln {

Result<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string> &candidates) {
  std::string attempts;
  // They stay: NVIDIA's libraries leak memory when unloaded, and threads of their own may run in them.
  for (const std::string &candidate : candidates) {
    if (void *handle = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
      return DynamicLibrary(handle, candidate);
    const char *why = ::dlerror();
    attempts += "\n  " + (why ? std::string(why) : candidate + ": unknown reason");
  }
  return machine_error("cannot load a dynamic library; tried:" + (attempts.empty() ? " nothing" : attempts));
}

DynamicLibrary::DynamicLibrary(DynamicLibrary &&other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), path_(std::move(other.path_)) {}

DynamicLibrary &DynamicLibrary::operator=(DynamicLibrary &&other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(path_, other.path_);
  return *this;
}

DynamicLibrary::~DynamicLibrary() {
  if (handle_) ::dlclose(handle_);
}

void *DynamicLibrary::symbol(const char *name) const { return handle_ ? ::dlsym(handle_, name) : nullptr; }

} // namespace kiln
