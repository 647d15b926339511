// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stops all kernels of a session on the CPU. To stop chosen kernels, or from a signal handler, use a
// StopSource (kiln/stop.h).
#pragma once

#include <kiln/session.h>

namespace kiln::inline KILN_API_VERSION {

/// Stops the session's kernels on the CPU, at any instruction. A launch that waits for its kernel returns the
/// error InterruptException. Launches that wait in streams are dropped. Arrays keep the values that kernels
/// wrote before. The call returns at once; a kernel ends a few milliseconds later, or after its current call
/// of a C library function. Any thread may call it; signal handlers must not.
///
/// Kiln sends SIGURG to threads that run kernels. It installs its own handler for SIGURG until all kernels
/// have ended, then restores the process's handler.
KILN_API void interrupt_kernels(Session &session);

} // namespace kiln::inline KILN_API_VERSION
