// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/job_list.h>

namespace kiln {

/// `path`: for messages and relative paths. Errors: read_manifest's.
Result<PrecompileList> read_manifest_text(const std::string &path, std::string text);

} // namespace kiln
