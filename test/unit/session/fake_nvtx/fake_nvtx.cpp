// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tool that listens to NVTX 3, as a program loads it from NVTX_INJECTION64_PATH: it notes ranges of the
// default domain. Written after the CUDA toolkit's nvtx3/nvtxDetail/nvtxTypes.h.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace {

using Function = void (*)();
struct Callbacks {
  size_t struct_size;
  int (*get_module_function_table)(int, Function ***, unsigned *);
};
struct VersionInfo {
  size_t struct_size;
  uint32_t version, reserved;
  void (*set_injection_version)(uint32_t);
};

std::mutex mutex;
std::string text;

int push(const char *name) {
  std::lock_guard lock(mutex);
  text += std::string("<") + name;
  return 0;
}
int pop() {
  std::lock_guard lock(mutex);
  text += ">";
  return 0;
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    const void *(*get_export_table)(uint32_t)) {
  const auto *version = static_cast<const VersionInfo *>(get_export_table(3));
  if (!version || version->struct_size < sizeof *version || version->version != 3) return 0;
  version->set_injection_version(3);
  const auto *callbacks = static_cast<const Callbacks *>(get_export_table(1));
  if (!callbacks || callbacks->struct_size < sizeof *callbacks || get_export_table(77)) return 0;
  Function **table = nullptr;
  unsigned size = 0;
  if (!callbacks->get_module_function_table(1, &table, &size) || size < 16) return 0;
  for (unsigned i = 1; i < size; i++)
    if (!table[i]) return 0; // a tool may fill in any of the module's functions
  *table[9] = reinterpret_cast<Function>(push);
  *table[11] = reinterpret_cast<Function>(pop);
  unsigned other = 0;
  return callbacks->get_module_function_table(2, &table, &other) == 0;
}

__attribute__((visibility("default"))) const char *fake_nvtx_text() { return text.c_str(); }
}
