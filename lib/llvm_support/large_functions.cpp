// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "large_functions.h"

#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/Function.h>

namespace kiln {
namespace {

constexpr unsigned many_blocks = 2000;
constexpr llvm::StringLiteral paused =
    "kiln.without-sinking"; // the attribute optnone of this function is ours

/// Machine passes that may be left out ask for optnone each time they run: it stands on the function while
/// sinking's turn is.
class Pause final : public llvm::MachineFunctionPass {
public:
  static char ID;
  explicit Pause(bool begins) : MachineFunctionPass(ID), begins_(begins) {}
  llvm::StringRef getPassName() const override { return "Kiln: large functions do without sinking"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction &machine_function) override {
    llvm::Function &function = machine_function.getFunction();
    if (begins_) {
      if (machine_function.size() > many_blocks && !function.hasOptNone()) {
        function.addFnAttr(paused);
        function.addFnAttr(llvm::Attribute::OptimizeNone);
      }
    } else if (function.hasFnAttribute(paused)) {
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      function.removeFnAttr(paused);
    }
    return false;
  }

private:
  bool begins_;
};

char Pause::ID = 0;

} // namespace

void leave_sinking_out_of_large_functions(llvm::TargetPassConfig &config) {
  config.insertPass(&llvm::MachineCSEID, new Pause(true));
  config.insertPass(&llvm::MachineSinkingID, new Pause(false));
}

} // namespace kiln
