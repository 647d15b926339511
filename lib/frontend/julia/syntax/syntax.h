// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component syntax (layer 2): Julia's syntax, from text to a tree. It knows no World: the components above
// (expand, lower, define) give names their meaning.
//   tree             syntax nodes, their arena, and their two printed forms
//   lexer, parser    text -> tree; with tables for operators, numbers and strings
//   name_watch       names in a text that others watch for
//   signature        parts of a method's signature, read from its tree
#pragma once

#include "name_watch.h"
#include "parser.h"
#include "signature.h"
#include "tree.h"
