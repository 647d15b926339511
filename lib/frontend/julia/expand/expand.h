// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component expand (layer 5): expands syntax to a tree without macros and syntactic sugar. Identifiers that
// the expansion made name the module in which they are looked up (hygiene).
//   shared           state that a frontend's components share; the user's macros
//   expander         expansion; macros*: built-in macros and the user's; sugar: broadcasts, do-blocks, ...
//   quote            converts syntax to values of type Expr and back; substitutes `$name`
//   macro_library    functions by which macros make code: Expr(...), esc, gensym
//   type_expr        evaluates type expressions of signatures and type definitions on syntax
#pragma once

#include "expander.h"
#include "quote.h"
#include "shared.h"
#include "type_expr.h"
