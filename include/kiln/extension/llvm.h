// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension API for targets and IR: what needs LLVM's headers. Link Kiln::extension, which is the archive
// with the LLVM 22 of the machine; never beside Kiln::kiln. docs/guide/embed-a-target.md is the way in;
// source compatible within a patch release.
//   target     what a target tells and its hooks, in the order of the pipeline
//   hooks      an embedder's own in the flow of single jobs
//   assembler  from a target's text to what its device loads
//   ir         what Kiln's modules look like: the entry, attributes, shared memory
#pragma once

#include <kiln/extension/llvm/assembler.h>
#include <kiln/extension/llvm/hooks.h>
#include <kiln/extension/llvm/ir.h>
#include <kiln/extension/llvm/target.h>
