// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of gpu_coarsening.
#pragma once

#include "runtime.h"

namespace kiln::gpu_test {

/// docs/examples' kernels, and some that are coarsened in part or not at all.
extern const char *const coarsening_source;

/// A session of its own with that source loaded.
std::unique_ptr<Session> open_coarsening(Test &test, bool coarsen);

/// How many launches ran a coarse entry, as its timings tell.
uint64_t coarse_launches(const Session &session);

/// Values of coarse launches: against the launch as written, bit by bit, and against this program's own
/// computation.
void coarse_values(Test &test);
/// What sessions do by themselves: when a second entry is made, and who takes it.
void coarse_sessions(Test &test);
/// Bandwidths of kernels as written and coarse, by turns, as fractions of the copy ceiling.
void coarse_speed(Test &test);
/// Host time of launches that look at a plan, beside those that have none.
void coarse_overhead(Test &test);

} // namespace kiln::gpu_test
