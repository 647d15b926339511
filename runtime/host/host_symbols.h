// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that compiled CPU code may call: Kiln's own (kiln/abi.h), and those of the C library, libm and
// the compiler's runtime.
#pragma once

#include <kiln/export.h>

#include <span>
#include <string>

namespace kiln {

struct HostSymbol {
  const char *name;
  void *address;
};
/// Kiln's own functions. They take precedence over functions of the process with the same names.
std::span<const HostSymbol> own_host_symbols();
/// Adds functions to those. Code that was loaded before does not find them. Thread-safe.
KILN_PROGRAMS_API void add_host_symbols(std::span<const HostSymbol> symbols);

/// Finds a function by name: one of Kiln's own, of this process, libm or libgcc. Null: unknown name.
/// Thread-safe.
void *find_host_symbol(const std::string &name);

} // namespace kiln
