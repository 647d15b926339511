// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes the GPU resources of a kernel's cubin as text, for --emit resources.
#pragma once

#include <kiln/job.h>

#include <string>

namespace kiln::tool {

/// Lists the kernel's registers, spills, memory and occupancy for common block sizes, one "name: value" per
/// line.
std::string resources_text(const Artifact &cubin, const CompilerConfig &config);
/// Prints a warning on standard error if the kernel spills registers to memory.
void warn_of_spills(const Artifact &cubin);

} // namespace kiln::tool
