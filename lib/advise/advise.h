// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component advise (layer 10): reasons why a kernel is slow. A client of sessions: it reads the products of a
// job and does not affect them. Public: kiln/advise.h.
//   kernel_ir      parsed optimised IR of a job; places in the user's code
//   findings       results of the rules as advice in source order
//   literals       numeric literals in the source
// The rules, one file each, are functions of rules.h:
//   wide_values    Float64 and Int64 caused by a literal
//   local_memory   arrays indexed by a variable
//   strides        non-contiguous accesses of neighbouring threads; bank conflicts
//   divisions      loop-invariant divisors
//   resources      spills, occupancy
// Analyses for the rules on accesses:
//   divergence     values that differ between the threads of a warp
//   linear_form    a value as a polynomial of others
#pragma once

#include <kiln/advise.h>
