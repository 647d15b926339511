// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lowered (layer 2): lowered code, the untyped form of a method that every frontend produces.
//   code         CodeInfo: a flat list of statements over slots (Julia's CodeInfo before inference)
//   builder      how a frontend makes it
//   verifier     what a CodeInfo must satisfy; run on every CodeInfo a frontend hands in
//   print        --emit lowered
//   ssa          CodeInfo -> SsaCode: basic blocks, phis and pis. Done once a method, shared by all its
//                specialisations, so that inference and emission add side tables only
//   packed       statements of methods that are not in use, in a tenth of the memory
//   intrinsics   intrinsics.def: every intrinsic and builtin function, once
#pragma once

#include "builder.h"
#include "code.h"
#include "intrinsics.h"
#include "packed.h"
#include "print.h"
#include "ssa.h"
#include "verifier.h"
