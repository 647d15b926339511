// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component advise (layer 10): what makes a kernel slow. A client of sessions: it reads the products of a job
// and changes nothing of how they are made. Public: kiln/advise.h.
//   kernel_ir      the optimised IR of a job, parsed; places in the user's code
//   findings       what rules found, as advice in the order of the source
//   literals       numbers as the source has them
// The rules, one file each; each is a function of rules.h:
//   wide_values    Float64 and Int64 that a literal brought
//   local_memory   arrays that a variable indexes
//   strides        accesses of neighbouring threads that lie apart; bank conflicts
//   divisions      divisions in loops by what does not change there
//   resources      spills, occupancy
// What the rules on accesses stand on:
//   divergence     which values differ between the threads of a warp
//   linear_form    a value as a polynomial of others
#pragma once

#include <kiln/advise.h>
