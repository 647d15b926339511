// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is what a folder holds what a compile gives?
#pragma once

#include <cache/cache.h>
#include <kiln/cache.h>

#include <span>

namespace kiln {

/// Compiles up to `sample` of the jobs, chosen by their identity. Errors: those of opening sessions and
/// loading files.
Result<VerifyReport> verify_jobs(FolderStore &folder, std::span<const PrecompileJob> jobs,
                                 const SessionOptions &session, size_t sample);
/// Assembles up to `sample` of the texts that the folder holds with their cubins, and as many of the cubins
/// of several kernels from theirs. Nothing, where there is no assembler.
Result<VerifyReport> verify_texts(FolderStore &folder, const SessionOptions &session, size_t sample);

} // namespace kiln
