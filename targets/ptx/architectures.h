// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the ptx target's options against the tables of component architectures. LLVM only warns about an
// unknown architecture or PTX ISA, and goes on with another one.
#pragma once

#include <architectures/architectures.h>
#include <kiln/job.h>
#include <kiln/result.h>

namespace kiln::ptx {

/// Fills ptx_isa if it is 0. Error: Usage, with the allowed values.
Result<void> check_architecture(PtxOptions &options);
/// Checks the launch bounds. Error: Usage if no device can have them, or if they exclude each other.
Result<void> check_launch_bounds(const PtxOptions &options);

} // namespace kiln::ptx
