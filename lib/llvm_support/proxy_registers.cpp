// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proxy_registers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace kiln {
namespace {

class EraseProxyRegisters final : public llvm::MachineFunctionPass {
public:
  static char ID;
  EraseProxyRegisters() : MachineFunctionPass(ID) {}
  llvm::StringRef getPassName() const override { return "Kiln: proxy registers of NVPTX"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction &function) override {
    const llvm::TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
    llvm::DenseMap<llvm::Register, llvm::Register> source_of; // looked up only
    llvm::SmallVector<llvm::MachineInstr *, 16> proxies;
    for (llvm::MachineBasicBlock &block : function)
      for (llvm::MachineInstr &instruction : block)
        if (instruction.getNumOperands() == 2 && instruction.getOperand(0).isReg() &&
            instruction.getOperand(1).isReg() &&
            instructions.getName(instruction.getOpcode()).starts_with("ProxyReg")) {
          source_of[instruction.getOperand(0).getReg()] = instruction.getOperand(1).getReg();
          proxies.push_back(&instruction);
        }
    if (proxies.empty()) return false;
    for (llvm::MachineBasicBlock &block : function)
      for (llvm::MachineInstr &instruction : block)
        for (llvm::MachineOperand &operand : instruction.operands()) {
          if (!operand.isReg() || !operand.isUse()) continue;
          llvm::Register source = operand.getReg();
          for (auto found = source_of.find(source); found != source_of.end(); found = source_of.find(source))
            source = found->second;
          if (source != operand.getReg()) {
            operand.setReg(source);
            operand.setIsKill(false); // the source may be read by others of the proxy's readers
          }
        }
    for (llvm::MachineInstr *proxy : proxies) proxy->eraseFromParent();
    return true;
  }
};

char EraseProxyRegisters::ID = 0;

} // namespace

void erase_proxy_registers_early(llvm::TargetPassConfig &config, bool optimizes) {
  // Until registers are allocated, proxies keep results from moving out of their call's braces: as late as
  // LLVM's own pass.
  config.insertPass(optimizes ? &llvm::PeepholeOptimizerLegacyID : &llvm::LocalStackSlotAllocationID,
                    new EraseProxyRegisters());
}

} // namespace kiln
