// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a folder's entries with fresh compiles.
#pragma once

#include <cache/cache.h>
#include <kiln/cache.h>

#include <span>

namespace kiln {

/// Compiles up to `sample` of the jobs, selected by identity. Errors: those of opening sessions and loading
/// files.
Result<VerifyReport> verify_jobs(FolderStore &folder, std::span<const PrecompileJob> jobs,
                                 const SessionOptions &session, size_t sample);
/// Assembles up to `sample` texts that the folder stores with their cubins, and up to `sample` cubins of
/// several kernels. Returns an empty report without an assembler.
Result<VerifyReport> verify_texts(FolderStore &folder, const SessionOptions &session, size_t sample);

} // namespace kiln
