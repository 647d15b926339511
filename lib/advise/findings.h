// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel_ir.h"

#include <kiln/advise.h>
#include <kiln/extension/language/source.h>

#include <llvm/IR/Instruction.h>

#include <string>

namespace kiln {

/// What the rules found in one job: advice with places and stacks, each place of a rule once.
class Findings {
public:
  explicit Findings(const SourceMap &sources) : sources_(sources) {}

  /// At the statement of the user's that `instruction` was made for. Nothing is added where none is known.
  void add(std::string_view rule, const llvm::Instruction &instruction, std::string message,
           std::string hint);
  /// The same at a place of the statement's function that is more exact.
  void add_at(std::string_view rule, const llvm::Instruction &instruction, Location at, std::string message,
              std::string hint);
  /// Of the kernel as a whole, at its definition.
  void add_of_kernel(std::string_view rule, const KernelIr &ir, std::string message, std::string hint);

  /// The place of the statement; empty: none is known, or its text is not.
  Location place_of_statement(const llvm::Instruction &instruction) const;
  const SourceMap &sources() const { return sources_; }
  /// All of it, by file, line and column.
  std::vector<Advice> take() &&;

private:
  void keep(Advice advice);
  const SourceMap &sources_;
  std::vector<Advice> advice_;
};

} // namespace kiln
