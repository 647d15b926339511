// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_ir.h"

#include <llvm_support/llvm_support.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/CFG.h>
#include <llvm/Support/SourceMgr.h>

#include <fmt/format.h>

namespace kiln {
namespace {

bool is_library(const llvm::DILocation &at) {
  return at.getScope()->getFile()->getDirectory() == LibraryFolder;
}

} // namespace

Result<KernelIr> KernelIr::parse(std::string_view text) {
  KernelIr ir;
  ir.context_ = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic wrong;
  ir.module_ = llvm::parseAssemblyString(llvm::StringRef(text.data(), text.size()), wrong, *ir.context_);
  if (!ir.module_)
    return internal_error(fmt::format("the IR of a job cannot be read back: {}", wrong.getMessage().str()));
  ir.entry_ = find_entry(*ir.module_);
  for (const llvm::Function &function : *ir.module_)
    if (!function.isDeclaration() && function.getSubprogram()) ir.functions_.push_back(&function);
  return ir;
}

const llvm::DILocation *statement_of(const llvm::Instruction &instruction) {
  const llvm::DILocation *at = instruction.getDebugLoc().get();
  while (at && (is_library(*at) || at->getLine() == 0)) at = at->getInlinedAt();
  return at;
}

bool is_cold(const llvm::BasicBlock &block) {
  // The code that reports an exception has at most this many blocks in a row.
  constexpr int max_blocks = 6;
  auto only_throws = [](const auto &self, const llvm::BasicBlock &from, int blocks) -> bool {
    if (llvm::isa<llvm::UnreachableInst>(from.getTerminator())) return true;
    return blocks > 1 && !llvm::succ_empty(&from) &&
           llvm::all_of(llvm::successors(&from),
                        [&](const llvm::BasicBlock *next) { return self(self, *next, blocks - 1); });
  };
  return only_throws(only_throws, block, max_blocks);
}

} // namespace kiln
