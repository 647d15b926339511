// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "needed_passes.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Pass.h>

#include <algorithm>
#include <array>

namespace kiln {
namespace {

/// Names by Pass::getPassName.
constexpr std::array<llvm::StringLiteral, 16> UnneededPasses{
    // garbage collection, Objective-C, stack protection and instrumentation, which PTX does not have
    "Lower Garbage Collection Instructions", "Shadow Stack GC Lowering",
    "Analyze Machine Code For Garbage Collection", "Fixup Statepoint Caller Saved", "ObjC ARC contraction",
    "Safe Stack instrumentation pass", "Prepare callbr", "Insert fentry calls", "Insert XRay ops",
    "Machine Sanitizer Binary Metadata",
    "Instrument function entry/exit with calls to e.g. mcount() (post inlining)",
    // functions of the C library, which PTX does not have
    "Merge contiguous icmps into a memcmp", "Expand memcmp() to load/stores",
    "Replace intrinsics with calls to vector library", "Partially inline calls to library functions",
    // remarks for a user of LLVM's tools
    "Stack Frame Layout Analysis"};

} // namespace

void PassesForPtx::add(llvm::Pass *pass) {
  if (std::ranges::find(UnneededPasses, pass->getPassName()) != UnneededPasses.end())
    delete pass;
  else
    passes_.add(pass);
}

} // namespace kiln
