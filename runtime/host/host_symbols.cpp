// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_symbols.h"

#include "bfloat.h"
#include "device_launches.h"
#include "executor.h"
#include "host_arrays.h"
#include "host_references.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace kiln {

namespace {

template <class F> void *address_of(F *function) { return reinterpret_cast<void *>(function); }

} // namespace

static const std::vector<HostSymbol> &built_in() {
  static const std::vector<HostSymbol> symbols = {
      {abi::NativeThrowSymbol, address_of(&kiln_native_throw)},
      {abi::NativeFramesSymbol, address_of(&kiln_native_frames)},
      {abi::NativeRoundsSymbol, address_of(&kiln_native_rounds)},
      {abi::NativeAccessSymbol, address_of(&kiln_native_access)},
      {abi::NativeOverdueSymbol, address_of(&kiln_native_overdue)},
      {"kiln_native_launch", address_of(&kiln_native_launch)},
      {"kiln_native_tensor_memory", address_of(&kiln_native_tensor_memory)},
      {HostArraySymbol, address_of(&kiln_host_array)},
      {GrowArraySymbol, address_of(&kiln_grow_array)},
      {OutOfBoundsSymbol, address_of(&kiln_out_of_bounds)},
      {SameReferenceSymbol, address_of(&kiln_same_reference)},
      {VariableSymbol, address_of(&kiln_variable)},
      {NoteSymbol, address_of(&kiln_note)},
      {"__truncsfbf2", address_of(&native_truncsfbf2)},
      {"__truncdfbf2", address_of(&native_truncdfbf2)},
  };
  return symbols;
}

static std::atomic<const std::vector<HostSymbol> *> all_symbols{nullptr}; // replaced lists are never freed

std::span<const HostSymbol> own_host_symbols() {
  const std::vector<HostSymbol> *all = all_symbols.load(std::memory_order_acquire);
  return all ? *all : built_in();
}

void add_host_symbols(std::span<const HostSymbol> symbols) {
  static std::mutex adding;
  std::scoped_lock lock(adding);
  const std::span<const HostSymbol> before = own_host_symbols();
  auto all = std::make_unique<std::vector<HostSymbol>>(before.begin(), before.end());
  all->insert(all->end(), symbols.begin(), symbols.end());
  all_symbols.store(all.release(), std::memory_order_release);
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
