// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/job_list.h>

namespace kiln {

/// Reads the jobs of a manifest from its text. `path`: the manifest's file, for messages and relative paths.
/// Errors: those of read_manifest().
Result<PrecompileList> read_manifest_text(const std::string &path, std::string text);

} // namespace kiln
