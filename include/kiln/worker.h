// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of worker processes, for embedders that do not ship the program kiln
// (SessionOptions::worker_program, docs/design/workers.md).
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <functional>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Identifies this build of Kiln: 16 hexadecimal digits. Two builds share no cache entry and no worker.
/// Static storage.
KILN_API std::string_view build_id();

/// Serves as a worker process until the process that started it closes its end of the socket, file descriptor
/// 3. A session starts its worker program with the single argument "worker"; the program then calls this
/// function and exits. Serves Kiln's own targets. Call it once, from the main thread.
///
/// `orphaned` is called on another thread when the session has closed its end or its process is gone,
/// possibly before this function returns. It must end this process and the processes that it started,
/// whatever they do, and not return. Errors: Usage for an empty function, or if descriptor 3 is no socket;
/// Machine for another build.
KILN_API Result<void> run_worker(const std::function<void()> &orphaned);

} // namespace kiln::inline KILN_API_VERSION
