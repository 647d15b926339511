// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaves out passes of LLVM's code generator that change no module for PTX. A pass costs time even if it has
// nothing to do, since the legacy pass manager computes and frees the analyses that the pass requires.
#pragma once

#include <llvm/IR/LegacyPassManager.h>

namespace llvm {
class Module;
} // namespace llvm

namespace kiln {

/// True if LLVM may have to expand operations of the module before instruction selection for PTX: those on
/// integers of more than 64 bits, and floating-point remainders.
bool has_operations_to_expand(const llvm::Module &module);

/// Adds all passes but the unneeded ones to another pass manager, which must outlive this object. `expands`:
/// result of has_operations_to_expand() for the modules that the passes will get.
class PassesForPtx final : public llvm::legacy::PassManagerBase {
public:
  PassesForPtx(llvm::legacy::PassManagerBase &passes, bool expands) : passes_(passes), expands_(expands) {}
  void add(llvm::Pass *pass) override;

private:
  llvm::legacy::PassManagerBase &passes_;
  bool expands_;
};

} // namespace kiln
