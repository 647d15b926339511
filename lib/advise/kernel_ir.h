// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string_view>
#include <vector>

namespace kiln {

/// IR of a job in its own context. Not thread-safe.
class KernelIr {
public:
  /// `text`: a product Llvm or LlvmOpt. Error: Internal for text that LLVM cannot read.
  static Result<KernelIr> parse(std::string_view text);

  const llvm::Module &module() const { return *module_; }
  const llvm::Function *entry() const { return entry_; } ///< null: the IR lacks the entry
  /// The entry and its callees in module order, without Kiln's functions that have no source.
  const std::vector<const llvm::Function *> &functions() const { return functions_; }

private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  const llvm::Function *entry_ = nullptr;
  std::vector<const llvm::Function *> functions_;
};

/// The user's statement of an instruction: its innermost place outside of Kiln's library. Each statement has
/// its own node, so that equal pointers mean the same statement. Null: unknown.
const llvm::DILocation *statement_of(const llvm::Instruction &instruction);

/// True for a block that only leads to an exception.
bool is_cold(const llvm::BasicBlock &block);

} // namespace kiln
