// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers kiln.launch (rewrite/device_launches.h) to CUDA's device runtime, which the assembler links
// (libcudadevrt). The runtime allocates a buffer for the parameters, and frees it with the launch. The buffer
// has the layout of the kernel's parameter space, with each parameter at a multiple of its alignment. The
// first parameter is the launching kernel's state.
#include "passes.h"

#include <rewrite/rewrite.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::ptx {
namespace {

void replace(llvm::CallInst &launch) {
  llvm::Module &module = *launch.getModule();
  llvm::IRBuilder<> ir(&launch);
  llvm::Type *pointer = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  auto *dim3 = llvm::StructType::get(module.getContext(), {i32, i32, i32});
  auto declare = [&](std::string_view name, llvm::Type *gives, llvm::ArrayRef<llvm::Type *> takes) {
    llvm::FunctionCallee callee =
        module.getOrInsertFunction(llvm::StringRef(name), llvm::FunctionType::get(gives, takes, false));
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  };
  auto shape = [&](unsigned first) {
    llvm::Value *sizes = llvm::PoisonValue::get(dim3);
    for (unsigned axis = 0; axis < 3; ++axis)
      sizes = ir.CreateInsertValue(sizes, launch.getArgOperand(first + axis), axis);
    return sizes;
  };
  llvm::SmallVector<llvm::Type *, 8> types{i64};
  for (unsigned i = DeviceLaunchFixed; i < launch.arg_size(); ++i)
    types.push_back(launch.getArgOperand(i)->getType());
  auto *together = llvm::StructType::get(module.getContext(), types);

  llvm::Value *state =
      ir.CreatePtrToInt(ir.CreateCall(module.getOrInsertFunction("kiln.state", pointer)), i64);
  llvm::Value *buffer = ir.CreateCall(declare(GetParameterBuffer, pointer, {pointer, dim3, dim3, i32}),
                                      {launch.getArgOperand(0), shape(1), shape(4), launch.getArgOperand(7)});
  llvm::Instruction *launches = nullptr, *fails = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(ir.CreateIsNotNull(buffer), &launch, &launches, &fails);
  ir.SetInsertPoint(launches);
  for (unsigned i = 0; i < types.size(); ++i)
    ir.CreateStore(i == 0 ? state : launch.getArgOperand(DeviceLaunchFixed + i - 1),
                   ir.CreateStructGEP(together, buffer, i));
  llvm::Value *stream = ir.CreateIntToPtr(launch.getArgOperand(8), pointer);
  llvm::Value *status = ir.CreateCall(declare(LaunchDevice, i32, {pointer, pointer}), {buffer, stream});
  ir.SetInsertPoint(fails);
  // The launch failed. If the runtime recorded no error, return 9 (cudaErrorInvalidConfiguration), since 0
  // would mean success.
  llvm::Value *error = ir.CreateCall(declare(GetLastError, i32, {}));
  error = ir.CreateSelect(ir.CreateIsNull(error), ir.getInt32(9), error);
  ir.SetInsertPoint(&launch);
  llvm::PHINode *result = ir.CreatePHI(i32, 2);
  result->addIncoming(status, launches->getParent());
  result->addIncoming(error, fails->getParent());
  launch.replaceAllUsesWith(result);
  launch.eraseFromParent();
}

} // namespace

Result<void> call_launches(const Target &, const CompilerConfig &, llvm::Module &module) {
  for (llvm::CallInst *launch : device_launches(module)) replace(*launch);
  drop_device_launch(module);
  return {};
}

bool launches_grids(std::string_view text) { return text.find(LaunchDevice) != std::string_view::npos; }

} // namespace kiln::ptx
