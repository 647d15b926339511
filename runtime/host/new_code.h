// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace kiln {

/// Lets all threads of the process execute code that this thread has written to [begin, begin + bytes). Call
/// it before another thread can learn the code's address. x86-64 needs no instruction for this. On AArch64 it
/// invalidates the instruction caches. The cores that run threads of the process then discard instructions
/// that they fetched earlier from this memory (a few µs).
void publish_code(void *begin, size_t bytes);

} // namespace kiln
