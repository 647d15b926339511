// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component syntax (layer 2): Julia's syntax, from text to a tree. It knows no World: what a name means is
// for the components above (expand, lower, define).
//   tree             syntax nodes, their arena, and both forms in which they are printed
//   lexer, parser    text -> tree; operators, numbers and strings are the lexer's and the parser's tables
//   name_watch       the names of a text that somebody waits for
//   signature        the parts of a method's signature, read off its tree
#pragma once

#include "name_watch.h"
#include "parser.h"
#include "signature.h"
#include "tree.h"
