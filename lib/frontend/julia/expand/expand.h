// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component expand (layer 5): expansion of syntax. The result is a tree without macros and sugar. Identifiers
// that expansion made carry the module in which they are looked up (hygiene).
//   shared           state shared by a frontend's components; the user's macros
//   expander         expansion; macros*: built-in macros and the user's; sugar: broadcasts, do-blocks, ...
//   quote            syntax <-> values of type Expr; substitution of `$name`
//   macro_library    functions that macros make code with: Expr(...), esc, gensym
//   type_expr        type expressions of signatures and type definitions, evaluated on syntax
#pragma once

#include "expander.h"
#include "quote.h"
#include "shared.h"
#include "type_expr.h"
