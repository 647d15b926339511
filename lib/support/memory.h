// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory the process has and may have.
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln {

/// Bytes of memory that the process has in use now, without mapped files: some microseconds. 0 where the
/// system does not tell.
uint64_t resident_bytes();

/// Whether the process has at most `most` bytes in use with `more`; what the C library keeps for later goes
/// back to the system first, if need be.
bool fits_memory(uint64_t more, uint64_t most);

/// Bytes that it may use before the system would end it: most of the machine's, of its control group's, or of
/// what `ulimit -v` leaves. Looked up once.
KILN_PROGRAMS_API uint64_t usable_memory();

} // namespace kiln
