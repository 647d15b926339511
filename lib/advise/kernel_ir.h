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

/// Parsed LLVM IR of a job, in an LLVM context of its own. Not thread-safe.
class KernelIr {
public:
  /// Parses `text`, which is a job's product Llvm or LlvmOpt. Error: Internal if LLVM cannot parse the text.
  static Result<KernelIr> parse(std::string_view text);

  const llvm::Module &module() const { return *module_; }
  /// Entry function of the kernel; null if the IR does not contain it.
  const llvm::Function *entry() const { return entry_; }
  /// Functions with debug information (the entry and functions that it calls), in module order.
  const std::vector<const llvm::Function *> &functions() const { return functions_; }

private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  const llvm::Function *entry_ = nullptr;
  std::vector<const llvm::Function *> functions_;
};

/// Returns the place of the user's statement that contains `instruction`: its innermost inlined frame outside
/// Kiln's library. Null: unknown. The same statement always gives the same pointer.
const llvm::DILocation *statement_of(const llvm::Instruction &instruction);

/// Returns true if all paths from the block end in `unreachable`, so that it only throws an exception.
bool is_cold(const llvm::BasicBlock &block);

} // namespace kiln
