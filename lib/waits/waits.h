// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component waits (layer 6): finds loops that may wait for another thread's write, for targets.
//   wait_loop       which loops may wait, and in which iterations
//   exit_slice      instructions that decide whether a loop ends
//   memory_effects  memory effects of functions that other threads can observe
//   loop_values     comparisons of a loop's values
#pragma once

#include "exit_slice.h"
#include "memory_effects.h"
#include "wait_loop.h"
