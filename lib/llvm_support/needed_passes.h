// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaves out passes of LLVM's code generator that change no module for PTX. A pass costs time even if it has
// nothing to do, since the legacy pass manager computes and frees the analyses that the pass requires.
#pragma once

#include <llvm/IR/LegacyPassManager.h>

namespace kiln {

/// Adds all passes but the unneeded ones to another pass manager, which must outlive this object.
class PassesForPtx final : public llvm::legacy::PassManagerBase {
public:
  explicit PassesForPtx(llvm::legacy::PassManagerBase &passes) : passes_(passes) {}
  void add(llvm::Pass *pass) override;

private:
  llvm::legacy::PassManagerBase &passes_;
};

} // namespace kiln
