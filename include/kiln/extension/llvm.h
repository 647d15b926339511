// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension API for targets and LLVM IR, which needs LLVM's headers. Link the static library
// Kiln::extension, which uses the machine's LLVM 22, instead of Kiln::kiln; never link both.
// docs/guide/embed-a-target.md is the introduction. Source compatible within a patch release.
//   target     the class Target: options, capabilities and hooks of a target
//   hooks      hooks of an embedder in the compile of chosen jobs
//   assembler  turns a target's assembly into code that its device loads
//   ir         conventions of Kiln's LLVM modules: the entry, attributes, shared memory
#pragma once

#include <kiln/extension/llvm/assembler.h>
#include <kiln/extension/llvm/hooks.h>
#include <kiln/extension/llvm/ir.h>
#include <kiln/extension/llvm/target.h>
