// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel_ir.h"

#include <kiln/advise.h>
#include <kiln/extension/language/source.h>

#include <llvm/IR/Instruction.h>

#include <string>

namespace kiln {

/// Collects the advice for one job, with source places and call stacks. Each rule reports a place only once.
class Findings {
public:
  explicit Findings(const SourceMap &sources) : sources_(sources) {}

  /// Adds advice at the user's source statement that contains `instruction`. Does nothing if that statement
  /// is unknown.
  void add(std::string_view rule, const llvm::Instruction &instruction, std::string message,
           std::string hint);
  /// Adds advice at `at`, a place within the function of the statement that contains `instruction`.
  void add_at(std::string_view rule, const llvm::Instruction &instruction, Location at, std::string message,
              std::string hint);
  /// Adds advice for the whole kernel, placed at the kernel's definition.
  void add_of_kernel(std::string_view rule, const KernelIr &ir, std::string message, std::string hint);

  /// Returns the source place of the user's statement that contains `instruction`. Empty: the statement is
  /// unknown, or its source text is not available.
  Location place_of_statement(const llvm::Instruction &instruction) const;
  const SourceMap &sources() const { return sources_; }
  /// Returns all collected advice, sorted by file, line and column.
  std::vector<Advice> take() &&;

private:
  void keep(Advice advice);
  const SourceMap &sources_;
  std::vector<Advice> advice_;
};

} // namespace kiln
