// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension API for languages, all of it: a language outside Kiln's tree defines types, functions and
// methods with it, and has them compiled, cached and launched. It needs no headers of LLVM, oneTBB or fmt;
// libkiln.so exports it. docs/guide/embed-a-language.md is the introduction. Source compatible within a patch
// release.
//
//   frontend                         interface that a language implements, and services of a session for it
//   define                           definitions of methods, types and closures in one call each
//   calls, launch, tune              calls, launches and searches of a session with values instead of text
//   code, code_builder, intrinsics   bodies of methods: operands, statements, intrinsics
//   type, type_context, value        Julia's type lattice and values
//   print, subtype, specificity, layout   text, order and memory layout of types
//   module, world                    definitions over time, with world ages
//   interpreter                      evaluates code that definitions need
//   source, symbol, fingerprint      texts and places in them, names, digests
//
// Kiln's own components also use kiln/extension/language/internal/, which is not installed and may change in
// any release (docs/adr/034-public-language-api.md).
#pragma once

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/code.h>
#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/define.h>
#include <kiln/extension/language/embedded.h>
#include <kiln/extension/language/fingerprint.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/extension/language/intrinsics.h>
#include <kiln/extension/language/join_rule.h>
#include <kiln/extension/language/launch.h>
#include <kiln/extension/language/layout.h>
#include <kiln/extension/language/module.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/specificity.h>
#include <kiln/extension/language/subtype.h>
#include <kiln/extension/language/symbol.h>
#include <kiln/extension/language/tune.h>
#include <kiln/extension/language/type.h>
#include <kiln/extension/language/type_context.h>
#include <kiln/extension/language/value.h>
#include <kiln/extension/language/world.h>
