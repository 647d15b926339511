// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled code for the CPU may call: Kiln's own functions of kiln/abi.h and what the C library, libm
// and the compiler's runtime have.
#pragma once

#include <span>
#include <string>

namespace kiln {

struct HostSymbol {
  const char *name;
  void *address;
};
/// Kiln's own: found before those of the process, which may have others of these names.
std::span<const HostSymbol> own_host_symbols();

/// Kiln's own, or one of this process, of libm or of libgcc; null: there is none of that name. Thread-safe.
void *find_host_symbol(const std::string &name);

} // namespace kiln
