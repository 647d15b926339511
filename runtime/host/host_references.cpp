// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_references.h"

#include <atomic>

namespace kiln {

namespace {
std::atomic<const ReferenceFunctions *> installed{nullptr};
}

void set_reference_functions(const ReferenceFunctions &functions) { installed = &functions; }

extern "C" bool kiln_same_reference(const void *a, const void *b) {
  if (a == b) return true;
  const ReferenceFunctions *functions = installed;
  return functions && functions->same(a, b);
}

extern "C" void *kiln_variable(uint64_t name) {
  const ReferenceFunctions *functions = installed;
  return functions ? functions->variable(name) : nullptr;
}

extern "C" void kiln_note(int64_t index, uint64_t type, const uint64_t *words) {
  if (const ReferenceFunctions *functions = installed) functions->note(index, type, words);
}

} // namespace kiln
