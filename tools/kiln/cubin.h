// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubins as text: --emit resources.
#pragma once

#include <kiln/job.h>

#include <string>

namespace kiln::tool {

/// Registers, spills, memory, and the occupancy of some blocks. The format is a line each, "name: value".
std::string resources_text(const Artifact &cubin, const CompilerConfig &config);
/// A line on standard error for a kernel that spills registers.
void warn_of_spills(const Artifact &cubin);

} // namespace kiln::tool
