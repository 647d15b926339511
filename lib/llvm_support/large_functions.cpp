// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "large_functions.h"

#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/Function.h>
#include <llvm/Pass.h>
#include <llvm/PassRegistry.h>

#include <mutex>

namespace kiln {
namespace {

constexpr unsigned max_blocks = 2000;
/// Attribute that marks functions to which Kiln added optnone for a while.
constexpr llvm::StringLiteral paused = "kiln.without-sinking";

/// Pass that sets optnone on large functions (`begins`), or removes it again. LLVM's optional machine passes
/// between the two skip functions with optnone.
template <bool begins> class Pause final : public llvm::MachineFunctionPass {
public:
  static char ID;
  Pause() : MachineFunctionPass(ID) {}
  llvm::StringRef getPassName() const override { return "Kiln: large functions do without sinking"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction &machine_function) override {
    llvm::Function &function = machine_function.getFunction();
    if (begins) {
      if (machine_function.size() > max_blocks && !function.hasOptNone()) {
        function.addFnAttr(paused);
        function.addFnAttr(llvm::Attribute::OptimizeNone);
      }
    } else if (function.hasFnAttribute(paused)) {
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      function.removeFnAttr(paused);
    }
    return false;
  }
};

template <bool begins> char Pause<begins>::ID = 0;

template <bool begins> void register_pass(const char *argument) {
  llvm::PassRegistry::getPassRegistry()->registerPass(
      *new llvm::PassInfo("Kiln: large functions do without sinking", argument, &Pause<begins>::ID,
                          llvm::callDefaultCtor<Pause<begins>>, false, false),
      /*ShouldFree=*/true);
}

} // namespace

void leave_sinking_out_of_large_functions(llvm::TargetPassConfig &config) {
  static std::once_flag once;
  std::call_once(once, [] {
    register_pass<true>("kiln-without-sinking");
    register_pass<false>("kiln-with-sinking");
  });
  // Insert by the passes' IDs, not their objects: AMDGPU's pipeline has MachineCSE several times.
  config.insertPass(&llvm::MachineCSELegacyID, &Pause<true>::ID);
  config.insertPass(&llvm::MachineSinkingLegacyID, &Pause<false>::ID);
}

} // namespace kiln
