// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the memory that the process uses and may use.
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln {

/// Returns the bytes of memory in use, without mapped files. Costs a few microseconds. 0: unknown.
KILN_PROGRAMS_API uint64_t resident_bytes();

/// Returns true if the process stays within `most` bytes after it allocates `more`. If needed, first returns
/// the C library's free memory to the system.
KILN_PROGRAMS_API bool fits_memory(uint64_t more, uint64_t most);

/// Returns the bytes that the process may use without being killed by the system. That is most of the memory
/// of the machine or of the process's control group, or half of `ulimit -v` if that is less. Computed once.
KILN_PROGRAMS_API uint64_t usable_memory();

} // namespace kiln
