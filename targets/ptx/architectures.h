// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the ptx target's options against the tables of component architectures. For an unknown
// architecture or PTX ISA, LLVM only prints a warning and uses another one.
#pragma once

#include <architectures/architectures.h>
#include <kiln/job.h>
#include <kiln/result.h>

namespace kiln::ptx {

/// Sets ptx_isa to its default if it is 0. Error: Usage with the allowed values, for an unknown architecture
/// or PTX ISA.
Result<void> check_architecture(PtxOptions &options);
/// Checks the launch bounds. Error: Usage if no device supports them, or if they contradict each other.
Result<void> check_launch_bounds(const PtxOptions &options);

} // namespace kiln::ptx
