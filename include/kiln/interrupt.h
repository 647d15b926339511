// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends all kernels of a session on the CPU. A StopSource (kiln/stop.h) ends chosen ones, and may be used in
// signal handlers.
#pragma once

#include <kiln/session.h>

namespace kiln::inline KILN_API_VERSION {

/// Ends the session's kernels on the CPU, at any instruction. A launch that waits for its kernel returns the
/// error InterruptException; queued launches of streams are dropped. Values that kernels have written stay in
/// their arrays. It returns at once. A kernel ends a few milliseconds later, or when it returns from a
/// function of the C library. Any thread; not for signal handlers.
///
/// Threads that run kernels get SIGURG. Kiln handles it until all kernels have ended; then the process's own
/// handler is restored.
KILN_API void interrupt_kernels(Session &session);

} // namespace kiln::inline KILN_API_VERSION
