// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From functions to functions that also give tangents.
#pragma once

#include <kiln/result.h>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

namespace derivative {

/// The functions of one module that were differentiated. Not thread-safe.
class Tangents {
public:
  /// `f` with a tangent behind its parameters for each that is active, which depends on x. It returns the
  /// result and the result's tangent, {R, R}, or what `f` returns where that has no tangent.
  llvm::Function *of(llvm::Function &f, const std::vector<bool> &active);
  /// Operations without a derivative, each with its place in the program.
  std::vector<kiln::Diagnostic> faults;
  void fault(const llvm::Instruction &at, const std::string &message, const std::string &hint);
  int count() const { return int(made_.size()); }

private:
  std::map<std::pair<llvm::Function *, std::vector<bool>>, llvm::Function *> made_;
};

/// True for numbers, for memory that may hold them, and for integers, which may be the bits of a number.
bool has_tangent(const llvm::Type *type);

} // namespace derivative
