// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component tune (layer 10): searches for the fastest candidate of a kernel. A client of sessions: it
// compiles, launches and measures with the public interface. Public: kiln/tune.h,
// kiln/extension/language/tune.h.
//   expression  integers over parameters and sizes; texts with names in them
//   space       a search space and its points; space_json: search spaces as JSON
//   arrays      arrays of a search's arguments on its device
//   arguments   calls of candidates, and their launch bytes
//   compare     comparison of arrays with their expected contents
//   launches    launches and their times
//   race        finds the fastest with few measurements
//   record      results of searches in the cache's store
//   run         one search; files compile and check contain parts of it
//   parts       one search by several devices
//   ceiling     maximum memory bandwidth of the device
//   report      a result as a table and as JSON
#pragma once

#include "arguments.h"

#include <kiln/extension/language/tune.h>
