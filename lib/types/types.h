// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component types (layer 1): Julia's type lattice, and its constant values. The headers are public, in
// kiln/extension/language.
//   type         type representation, and TypeContext, which interns types
//   value        immutable and mutable values of the language, egal
//   subtype      subtype relation with where-types, binding of static parameters, intersection test
//   specificity  which of two signatures is more specific
//   layout       sizes, alignments, offsets of isbits types
//   module       a module as a value: its name
//   print        types and values as Julia prints them
#pragma once

#include <kiln/extension/language/layout.h>
#include <kiln/extension/language/module.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/specificity.h>
#include <kiln/extension/language/subtype.h>
#include <kiln/extension/language/type.h>
#include <kiln/extension/language/type_context.h>
#include <kiln/extension/language/value.h>
#include <support/support.h>
