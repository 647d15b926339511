// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lowered (layer 2): lowered code, the untyped form of a method that every frontend produces.
//   code         CodeInfo: a flat list of statements over slots (Julia's CodeInfo before inference)
//   code_builder how a frontend makes it
//   verifier     what a CodeInfo must satisfy; run on every CodeInfo a frontend hands in
//   print        --emit lowered
//   ssa          CodeInfo -> SsaCode: basic blocks, phis and pis. Done once a method, shared by all its
//                specialisations, so that inference and emission add side tables only
//   packed       statements of methods that are not in use, in a tenth of the memory
//   intrinsics   intrinsics.def: every intrinsic and builtin function, once
// The headers operands, code, code_builder and intrinsics are public, in kiln/extension/language;
// internal/code and internal/code_print are Kiln's own.
#pragma once

#include "packed.h"
#include "ssa.h"
#include "verifier.h"

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/internal/code.h>
#include <kiln/extension/language/internal/code_print.h>
#include <kiln/extension/language/intrinsics.h>
#include <types/types.h>
