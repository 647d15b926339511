// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component types (layer 1): Julia's type lattice and the constant values that occur in it.
//   type         the type representation and TypeContext, which interns it
//   value        immutable and mutable values of the language, egal
//   subtype      subtyping with where-types, binding of static parameters, intersection test
//   specificity  which of two signatures is more specific
//   layout       sizes, alignments, offsets of isbits types
//   module       a module as a value: its name
//   print        types and values as Julia prints them
#pragma once

#include "context.h"
#include "layout.h"
#include "module.h"
#include "print.h"
#include "specificity.h"
#include "subtype.h"
#include "type.h"
#include "value.h"
