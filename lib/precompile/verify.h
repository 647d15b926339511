// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is what a folder holds what a compile gives?
#pragma once

#include <cache/cache.h>
#include <kiln/precompile.h>

#include <span>
#include <string>
#include <vector>

namespace kiln {

/// What a comparison of a folder's entries with fresh compiles has found. Wrong entries are dropped.
struct VerifyReport {
  size_t checked = 0;      ///< entries that were made again
  size_t absent = 0;       ///< jobs that the folder does not have
  size_t without_text = 0; ///< cubins of several kernels, of which the folder has not all texts
  size_t others = 0;       ///< made with another libdevice or assembler than this machine's
  std::vector<std::string> wrong, unable; ///< which entries, and which jobs could not be compiled here
};
/// Compiles up to `sample` of the jobs, chosen by their identity. Errors: those of opening sessions and
/// loading files.
Result<VerifyReport> verify_jobs(FolderStore &folder, std::span<const PrecompileJob> jobs,
                                 const SessionOptions &session, size_t sample);
/// Assembles up to `sample` of the texts that the folder holds with their cubins, and as many of the cubins
/// of several kernels from theirs. Nothing, where there is no assembler.
Result<VerifyReport> verify_texts(FolderStore &folder, const SessionOptions &session, size_t sample);

} // namespace kiln
