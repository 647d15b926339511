// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component syntax (layer 2): parses Julia's syntax to a tree. It knows no World: the components above it
// (expand, lower, define) give names their meaning.
//   tree             syntax nodes, their arena, and two forms in which they are printed
//   lexer, parser    parse text to a tree; with tables of operators, numbers and strings
//   name_watch       finds names in a text for which library files wait
//   signature        reads the parts of a method's signature from its tree
#pragma once

#include "name_watch.h"
#include "parser.h"
#include "signature.h"
#include "tree.h"
