// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "needed_passes.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
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

/// NVPTX divides integers of up to 64 bits. Its pass costs 30,000 instructions even for an empty kernel,
/// since it tabulates the library functions of the subtarget.
constexpr llvm::StringLiteral ExpandingPass = "Expand IR instructions";
constexpr unsigned max_bits = 64;

bool is_wide(const llvm::Type *type) { return type->getScalarSizeInBits() > max_bits; }

bool may_be_expanded(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::FPToSI: return is_wide(instruction.getType());
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP: return is_wide(instruction.getOperand(0)->getType());
  case llvm::Instruction::FRem: return true;
  case llvm::Instruction::Call: return is_wide(instruction.getType()); // a conversion that saturates
  default: return false;
  }
}

} // namespace

bool has_operations_to_expand(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (may_be_expanded(instruction)) return true;
  return false;
}

void PassesForPtx::add(llvm::Pass *pass) {
  const llvm::StringRef name = pass->getPassName();
  if (std::ranges::find(UnneededPasses, name) != UnneededPasses.end() || (name == ExpandingPass && !expands_))
    delete pass;
  else
    passes_.add(pass);
}

} // namespace kiln
