// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends all kernels of a session on the CPU. A StopSource (kiln/stop.h) ends chosen ones, and may be used in
// signal handlers.
#pragma once

#include <kiln/session.h>

namespace kiln::inline KILN_API_VERSION {

/// Ends the session's kernels on the CPU, at whatever instruction they are. A launch that waits for its
/// kernel returns the error InterruptException; launches that streams hold are dropped. What kernels wrote
/// until then stays in their arrays. It returns at once; a kernel ends a few milliseconds later, or when it
/// comes back from a function of the C library. Any thread; not for signal handlers.
///
/// Threads that run kernels get SIGURG. Its handler is Kiln's until all kernels have ended, then again the
/// process's own.
KILN_API void interrupt_kernels(Session &session);

} // namespace kiln::inline KILN_API_VERSION
