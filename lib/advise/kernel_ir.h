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

/// The IR of a job in a context of its own. One thread at a time.
class KernelIr {
public:
  /// `text`: a product Llvm or LlvmOpt. Error: Internal, for text that LLVM does not read.
  static Result<KernelIr> parse(std::string_view text);

  const llvm::Module &module() const { return *module_; }
  const llvm::Function *entry() const { return entry_; } ///< null: the job's code has none of that name
  /// The entry and what it calls, in the order of the module, without functions of Kiln's own that have no
  /// source.
  const std::vector<const llvm::Function *> &functions() const { return functions_; }

private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  const llvm::Function *entry_ = nullptr;
  std::vector<const llvm::Function *> functions_;
};

/// The statement of the user's that an instruction was made for: the innermost place that is not in Kiln's
/// library. Every statement has a node of its own, so that two instructions are of one statement if the
/// pointers are equal. Null: none is known.
const llvm::DILocation *statement_of(const llvm::Instruction &instruction);

/// A block that a thread takes only on its way to an exception.
bool is_cold(const llvm::BasicBlock &block);

} // namespace kiln
