// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PTX targets there are. LLVM only warns about one that it does not know and goes on with another, so
// options are checked here, against LLVM 19's own limits.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

namespace kiln::ptx {

struct Architecture {
  int sm;             ///< compute capability x 10
  bool arch_specific; ///< sm_90a
  int least_isa;      ///< PTX ISA version x 10 that introduced it
};

/// Error: Usage, with what is allowed.
Result<void> check_architecture(const PtxOptions &options);
/// Launch bounds that no device can have, or that exclude each other. Error: Usage.
Result<void> check_launch_bounds(const PtxOptions &options);
/// "sm_90a"
std::string architecture_name(int sm, bool arch_specific);
std::string architecture_name(const PtxOptions &options);

} // namespace kiln::ptx
