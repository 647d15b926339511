// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component tune (layer 10): searches for the fastest candidate of a kernel. A client of sessions: it
// compiles, launches and measures by what an embedder has too. Public: kiln/tune.h,
// kiln/extension/language/tune.h.
//   expression  whole numbers over parameters and sizes; texts with names in them
//   space       a search space and its points; space_json: as JSON
//   arrays      the arrays of a search's arguments on its device
//   arguments   what a call of a candidate is, and the bytes of its launch
//   compare     whether an array is what it must be
//   launches    launches and their times
//   race        which of many is the fastest, in as few measurements as that takes
//   record      what searches have found, in the cache's store
//   run         one search; its parts compile and check
//   ceiling     what the device's memory moves at most
//   report      a result as a table and as JSON
#pragma once

#include "arguments.h"

#include <kiln/extension/language/tune.h>
