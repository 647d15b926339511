// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lowered (layer 2): lowered code, the untyped form of a method that every frontend produces.
//
// - code: CodeInfo, a flat list of statements over slots (Julia's CodeInfo before inference)
// - code_builder: interface by which frontends make a CodeInfo
// - verifier: invariants of a CodeInfo, checked for every frontend
// - print: prints lowered code as text, for --emit lowered
// - ssa: makes SsaCode of a CodeInfo (basic blocks, phis and pis), once per method. All specialisations share
//   it, so that inference and emission only add side tables
// - loop_code: the loops of a CodeInfo, and one loop as a function of its own
// - packed: compresses the statements of methods that are not in use
// - intrinsics: intrinsics.def lists every intrinsic and builtin function
//
// The headers operands, code, code_builder and intrinsics are public, in kiln/extension/language;
// internal/code and internal/code_print are Kiln's own.
#pragma once

#include "loop_code.h"
#include "packed.h"
#include "ssa.h"
#include "verifier.h"

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/internal/code.h>
#include <kiln/extension/language/internal/code_print.h>
#include <kiln/extension/language/intrinsics.h>
#include <types/types.h>
