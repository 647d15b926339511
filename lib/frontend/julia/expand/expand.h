// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component expand (layer 5): what a piece of syntax stands for. Expansion ends with a tree without macros
// and sugar; the identifiers that it made itself say in which module they are looked up (hygiene).
//   shared           the state that a frontend's components share; the user's macros
//   expander         expansion: macros* has the built-in macros and the user's; sugar (broadcasts, do-blocks,
//   ...) quote            syntax <-> values of type Expr; names put in for `$name` macro_library    what
//   macros make code with: Expr(...), esc, gensym type_expr        type expressions of signatures and type
//   definitions, evaluated on syntax
#pragma once

#include "expander.h"
#include "quote.h"
#include "shared.h"
#include "type_expr.h"
