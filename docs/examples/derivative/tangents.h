// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms functions into functions that also return tangents.
#pragma once

#include <kiln/result.h>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

namespace derivative {

/// The differentiated functions of one module. Not thread-safe.
class Tangents {
public:
  /// A version of `f` with an extra tangent parameter for each active parameter (one that depends on x).
  /// Returns the pair {R, R} of result and tangent, or only the result if it has no tangent.
  llvm::Function *of(llvm::Function &f, const std::vector<bool> &active);
  /// Operations without a derivative, each with its source place.
  std::vector<kiln::Diagnostic> faults;
  void fault(const llvm::Instruction &at, const std::string &message, const std::string &hint);
  int count() const { return int(made_.size()); }

private:
  std::map<std::pair<llvm::Function *, std::vector<bool>>, llvm::Function *> made_;
};

/// True for floats, for memory that may hold them, and for integers, which may be the bits of a float.
bool has_tangent(const llvm::Type *type);

} // namespace derivative
