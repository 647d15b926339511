// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets an embedder's own program serve as worker process, instead of the program kiln
// (SessionOptions::worker_program, docs/design/workers.md).
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <functional>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Returns the identity of this build of Kiln: 16 hexadecimal digits, in static storage. Different builds
/// share no cache entries and no worker processes.
KILN_API std::string_view build_id();

/// Runs a worker process: serves jobs until the parent process closes its end of the socket, file descriptor
/// 3. A session starts its worker program with the single argument "worker"; the program then calls this
/// function and exits. Serves Kiln's own targets. Call it once, from the main thread.
///
/// Kiln calls `orphaned` on another thread when the session closes its end or its process dies. The call may
/// come before this function returns. `orphaned` must kill this process and all processes that this process
/// started, and must not return. Errors: Usage for an empty function, or if descriptor 3 is no socket;
/// Machine for another build.
KILN_API Result<void> run_worker(const std::function<void()> &orphaned);

} // namespace kiln::inline KILN_API_VERSION
