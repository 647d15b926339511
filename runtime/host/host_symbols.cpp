// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_symbols.h"

#include "bfloat.h"
#include "device_launches.h"
#include "executor.h"
#include "host_arrays.h"

#include <dlfcn.h>

#include <cstring>

namespace kiln {

namespace {

template <class F> void *address_of(F *function) { return reinterpret_cast<void *>(function); }

} // namespace

std::span<const HostSymbol> own_host_symbols() {
  static const HostSymbol symbols[] = {
      {abi::NativeThrowSymbol, address_of(&kiln_native_throw)},
      {abi::NativeFramesSymbol, address_of(&kiln_native_frames)},
      {abi::NativeRoundsSymbol, address_of(&kiln_native_rounds)},
      {abi::NativeAccessSymbol, address_of(&kiln_native_access)},
      {abi::NativeOverdueSymbol, address_of(&kiln_native_overdue)},
      {"kiln_native_launch", address_of(&kiln_native_launch)},
      {"kiln_native_tensor_memory", address_of(&kiln_native_tensor_memory)},
      {HostArraySymbol, address_of(&kiln_host_array)},
      {OutOfBoundsSymbol, address_of(&kiln_out_of_bounds)},
      {"__truncsfbf2", address_of(&native_truncsfbf2)},
      {"__truncdfbf2", address_of(&native_truncdfbf2)},
  };
  return symbols;
}

void *find_host_symbol(const std::string &name) {
  for (const HostSymbol &own : own_host_symbols())
    if (name == own.name) return own.address;
  if (void *found = ::dlsym(RTLD_DEFAULT, name.c_str())) return found;
  // If the program loaded Kiln with RTLD_LOCAL, the global symbol scope may lack these libraries.
  for (const char *library : {"libm.so.6", "libgcc_s.so.1"}) {
    void *handle = ::dlopen(library, RTLD_LAZY);
    void *found = handle ? ::dlsym(handle, name.c_str()) : nullptr;
    if (found) return found; // keeps the library loaded
    if (handle) ::dlclose(handle);
  }
  return nullptr;
}

} // namespace kiln
