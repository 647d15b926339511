// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component infer (layer 5): makes typed code of lowered code, by abstract interpretation over the SSA form.
//   lattice      known facts about a value: type, constant, fields
//   typed        CodeInstance: side tables over a method's SSA form
//   summary      the results that callers use without the statements
//   inference    the engine: sparse conditional propagation, union splitting, recursion, and specialisation
//                on constants
//   builtins     type rules of intrinsics
//   table        the table of code instances: level 1 of the cache, in memory
//   sweep        eviction from the table
//   print        typed code as text, for --emit typed
//   joins        types of variables where control flow merges, by a language's join rule
//   declared     checks of declared types
#pragma once

#include "lattice.h"
#include "table.h"
#include "typed.h"
