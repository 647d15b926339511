// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension API for targets and IR: everything that needs LLVM's headers. Link Kiln::extension, the
// archive with the LLVM 22 of the machine, and never Kiln::kiln with it. docs/guide/embed-a-target.md is the
// tutorial. Source compatible within a patch release.
//   target     interface of a target: properties, and hooks in the order of the pipeline
//   hooks      an embedder's own code in the flow of single jobs
//   assembler  from a target's text to code that its device loads
//   ir         the form of Kiln's modules: the entry, attributes, shared memory
#pragma once

#include <kiln/extension/llvm/assembler.h>
#include <kiln/extension/llvm/hooks.h>
#include <kiln/extension/llvm/ir.h>
#include <kiln/extension/llvm/target.h>
