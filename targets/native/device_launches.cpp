// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers kiln.launch (rewrite/device_launches.h) to
//   uint32_t kiln_native_launch(NativeThread *, NativeKernel, blocks x, y, z, threads x, y, z, shared bytes,
//                               const void *arguments, const uint32_t *layout)
// The function copies the arguments, and keeps the copy until the launching grid has ended. `layout` is a
// constant: number of arguments, total bytes, offset of each argument.
#include "passes.h"

#include <rewrite/rewrite.h>

#include <llvm/IR/IRBuilder.h>

namespace kiln::native {
namespace {

constexpr unsigned Sizes = 7; ///< blocks, threads, shared bytes

void replace(llvm::CallInst &launch) {
  llvm::Module &module = *launch.getModule();
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Type *, 8> types;
  for (unsigned i = DeviceLaunchFixed; i < launch.arg_size(); ++i)
    types.push_back(launch.getArgOperand(i)->getType());
  auto *together = llvm::StructType::get(context, types);
  const llvm::StructLayout *layout = module.getDataLayout().getStructLayout(together);
  llvm::SmallVector<uint32_t, 8> numbers{uint32_t(types.size()), uint32_t(layout->getSizeInBytes())};
  for (unsigned i = 0; i < types.size(); ++i) numbers.push_back(uint32_t(layout->getElementOffset(i)));
  llvm::Constant *data = llvm::ConstantDataArray::get(context, numbers);
  auto *constant = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                            data, "kiln_launch_layout");

  llvm::BasicBlock &start = launch.getFunction()->getEntryBlock();
  llvm::IRBuilder<> ir(&start, start.getFirstInsertionPt());
  llvm::Value *memory = ir.CreateAlloca(together, nullptr, "arguments");
  ir.SetInsertPoint(&launch);
  for (unsigned i = 0; i < types.size(); ++i)
    ir.CreateStore(launch.getArgOperand(DeviceLaunchFixed + i), ir.CreateStructGEP(together, memory, i));
  llvm::Type *pointer = ir.getPtrTy();
  llvm::SmallVector<llvm::Type *, 12> takes(2, pointer);
  takes.append(Sizes, ir.getInt32Ty());
  takes.append(2, pointer);
  llvm::SmallVector<llvm::Value *, 12> values{
      ir.CreateCall(module.getOrInsertFunction("kiln.state", pointer))};
  for (unsigned i = 0; i < 1 + Sizes; ++i) values.push_back(launch.getArgOperand(i));
  values.append({memory, constant});
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(NativeLaunchSymbol, llvm::FunctionType::get(ir.getInt32Ty(), takes, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  launch.replaceAllUsesWith(ir.CreateCall(callee, values));
  launch.eraseFromParent();
}

} // namespace

Result<void> call_launches(const Target &, const CompilerConfig &, llvm::Module &module) {
  for (llvm::CallInst *launch : device_launches(module)) replace(*launch);
  drop_device_launch(module);
  return {};
}

} // namespace kiln::native
