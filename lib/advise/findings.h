// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel_ir.h"

#include <kiln/advise.h>
#include <kiln/extension/language/source.h>

#include <llvm/IR/Instruction.h>

#include <string>

namespace kiln {

/// Advice for one job, with places and stacks. Each rule reports a place once.
class Findings {
public:
  explicit Findings(const SourceMap &sources) : sources_(sources) {}

  /// Adds advice at the user's statement of `instruction`. Ignored if the statement is unknown.
  void add(std::string_view rule, const llvm::Instruction &instruction, std::string message,
           std::string hint);
  /// Adds advice at a more precise place in the statement's function.
  void add_at(std::string_view rule, const llvm::Instruction &instruction, Location at, std::string message,
              std::string hint);
  /// Adds advice for the whole kernel, at its definition.
  void add_of_kernel(std::string_view rule, const KernelIr &ir, std::string message, std::string hint);

  /// Place of the statement; empty: unknown, or without text.
  Location place_of_statement(const llvm::Instruction &instruction) const;
  const SourceMap &sources() const { return sources_; }
  /// All advice, sorted by file, line and column.
  std::vector<Advice> take() &&;

private:
  void keep(Advice advice);
  const SourceMap &sources_;
  std::vector<Advice> advice_;
};

} // namespace kiln
