// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the process uses and may use.
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln {

/// Bytes of memory in use, without mapped files. Costs a few microseconds. 0: unknown.
uint64_t resident_bytes();

/// Returns true if the process stays within `most` bytes after it allocates `more`. If needed, first returns
/// the C library's free memory to the system.
bool fits_memory(uint64_t more, uint64_t most);

/// Bytes that the process may use before the system would kill it: most of the memory of the machine or its
/// control group, or of the rest of `ulimit -v`. Computed once.
KILN_PROGRAMS_API uint64_t usable_memory();

} // namespace kiln
