// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvtx.h"

#include <support/support.h>

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>

namespace kiln {

namespace {

// Binary interface between tool and program, as in nvtx3/nvtxDetail/nvtxTypes.h of the CUDA toolkit.
using Function = void (*)();
enum { CoreModule = 1, RangePush = 9, RangePop = 11, CoreSize = 16 };
enum : uint32_t { CallbacksTable = 1, VersionTable = 3 };

Function slots[CoreSize]; ///< NVTX functions, which the tool sets at start; null: the tool does not need it
Function *table_of_slots[CoreSize + 1]; ///< addresses of the slots; null at index 0 and at the end

int functions_of(int module, Function ***table, unsigned *size) {
  if (module != CoreModule) return 0; // only core functions are used
  for (int i = 1; i < CoreSize; i++) table_of_slots[i] = &slots[i];
  if (table) *table = table_of_slots;
  if (size) *size = CoreSize;
  return 1;
}

struct Callbacks {
  size_t struct_size = sizeof(Callbacks);
  int (*get_module_function_table)(int, Function ***, unsigned *) = functions_of;
} callbacks;

struct Version {
  size_t struct_size = sizeof(Version);
  uint32_t version = 3, reserved = 0;
  void (*set_injection_version)(uint32_t) = [](uint32_t) {};
} version;

const void *export_table(uint32_t id) {
  return id == CallbacksTable ? static_cast<const void *>(&callbacks)
         : id == VersionTable ? &version
                              : nullptr;
}

/// Loads the library of a profiling tool, if the environment names one. The library stays loaded until the
/// process ends.
bool start() {
  const std::string path = environment_text("NVTX_INJECTION64_PATH");
  void *library = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) return false;
  using Initialize = int (*)(const void *(*)(uint32_t));
  auto initialize = reinterpret_cast<Initialize>(::dlsym(library, "InitializeInjectionNvtx2"));
  if (initialize && initialize(export_table)) return true;
  ::dlclose(library);
  return false;
}

} // namespace

const Nvtx *Nvtx::of_process() {
  static const Nvtx nvtx;
  static const bool there = start();
  return there ? &nvtx : nullptr;
}

void Nvtx::push(const char *name) const {
  if (Function push = slots[RangePush]) (void)reinterpret_cast<int (*)(const char *)>(push)(name);
}
void Nvtx::pop() const {
  if (Function pop = slots[RangePop]) (void)reinterpret_cast<int (*)()>(pop)();
}

} // namespace kiln
