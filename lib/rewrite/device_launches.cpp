// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_launches.h"

#include "rewrites.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/InstIterator.h>

namespace kiln {

namespace {
constexpr const char *DeviceLaunch = "kiln.launch";
}

std::vector<llvm::Function *> launched_kernels(llvm::Module &module) {
  std::vector<llvm::Function *> kernels;
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(LaunchedAttribute)) kernels.push_back(&function);
  return kernels;
}

std::vector<llvm::CallInst *> device_launches(llvm::Module &module) {
  std::vector<llvm::CallInst *> launches = rewrites::calls_of(module, DeviceLaunch);
  if (launches.empty()) return launches;
  for (llvm::Function *kernel : launched_kernels(module))
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
        place_wrapper(*kernel, *call, *call->getCalledFunction());
  return launches;
}

void drop_device_launch(llvm::Module &module) {
  if (llvm::Function *function = module.getFunction(DeviceLaunch); function && function->use_empty())
    function->eraseFromParent();
}

} // namespace kiln
