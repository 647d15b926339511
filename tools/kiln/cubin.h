// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes cubins as text: --emit resources.
#pragma once

#include <kiln/job.h>

#include <string>

namespace kiln::tool {

/// Registers, spills, memory, and the occupancy of common block sizes. One "name: value" per line.
std::string resources_text(const Artifact &cubin, const CompilerConfig &config);
/// Prints a line on standard error if the kernel spills registers.
void warn_of_spills(const Artifact &cubin);

} // namespace kiln::tool
