// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component advise (layer 10): finds reasons why a kernel is slow. It is a client of sessions: it reads the
// products of a job and does not change them. Public header: kiln/advise.h.
//
// - kernel_ir: the parsed, optimised IR of a job; source places of its instructions
// - findings: collects the results of the rules as advice in source order
// - literals: numeric literals in the source
//
// Each rule has a file; rules.h declares their functions:
//
// - wide_values: Float64 and Int64 arithmetic caused by a literal
// - local_memory: arrays indexed by a variable
// - strides: non-contiguous accesses of neighbouring threads; bank conflicts
// - lockstep: exchanges through shared memory within a warp without a barrier
// - divisions: loop-invariant divisors
// - resources: register spills and occupancy
// - serial_products: calls that make wgmma products wait
//
// Analyses for the rules on memory accesses:
//
// - divergence: values that differ between the threads of a warp
// - linear_form: a value as a polynomial of other values
#pragma once

#include <kiln/advise.h>
