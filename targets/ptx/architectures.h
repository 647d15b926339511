// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the ptx target's options against the tables of component architectures. LLVM only warns about an
// architecture or a PTX ISA that it does not know, and goes on with another.
#pragma once

#include <architectures/architectures.h>
#include <kiln/job.h>
#include <kiln/result.h>

namespace kiln::ptx {

/// Fills ptx_isa where it is 0. Error: Usage, with what is allowed.
Result<void> check_architecture(PtxOptions &options);
/// Launch bounds that no device can have, or that exclude each other. Error: Usage.
Result<void> check_launch_bounds(const PtxOptions &options);

} // namespace kiln::ptx
