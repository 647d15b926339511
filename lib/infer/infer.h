// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component infer (layer 5): lowered code -> typed code, by abstract interpretation over the SSA form.
//   lattice      what is known of a value: type, constant, known fields
//   typed        CodeInstance: side tables over a method's SSA form
//   inference    the engine: sparse conditional propagation, union splitting, constant specialisation,
//   recursion builtins     type rules of intrinsics table        the table of code instances: level 1 of the
//   cache, in memory sweep        what leaves the table, and when print        --emit typed
//   joins        where types meet at a variable by a language's rule   declared     code that says its types
#pragma once

#include "lattice.h"
#include "table.h"
#include "typed.h"
