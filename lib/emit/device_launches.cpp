// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of grids by a kernel (kiln.launch, see rewrite/device_launches.h). The function of a
// deferred_codegen pointer gets a kernel that calls it. The kernel has one parameter per leaf of the
// arguments.
#include "emitter.h"

#include <llvm_support/llvm_support.h>

namespace kiln {

namespace {

/// Number of launch arguments before the kernel's own: the kernel, six sizes, shared bytes, the stream.
constexpr size_t Fixed = 9;

/// Type of a leaf as a kernel parameter: a Bool is a byte in memory.
llvm::Type *parameter_type(llvm::Type *leaf) {
  return leaf->isIntegerTy(1) ? llvm::Type::getInt8Ty(leaf->getContext()) : leaf;
}

llvm::Function *grid_kernel(llvm::Function &body, bool convergent) {
  llvm::Module &module = *body.getParent();
  const std::string name = body.getName().str() + "_grid";
  if (llvm::Function *known = module.getFunction(name)) return known;
  llvm::SmallVector<llvm::Type *, 8> parameters;
  for (llvm::Argument &argument : body.args()) parameters.push_back(parameter_type(argument.getType()));
  llvm::LLVMContext &context = module.getContext();
  auto *kernel =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false),
                             llvm::GlobalValue::InternalLinkage, name, module);
  kernel->setDoesNotThrow();
  for (const char *attribute : {DeferredAttribute, KernelAttribute, "kiln.launched"})
    kernel->addFnAttr(attribute);
  body.addFnAttr("kiln.launched_body"); // its arguments are a kernel's
  if (convergent) kernel->setConvergent();
  llvm::IRBuilder<> ir(llvm::BasicBlock::Create(context, "", kernel));
  llvm::SmallVector<llvm::Value *, 8> values;
  for (llvm::Argument &argument : kernel->args())
    values.push_back(ir.CreateTrunc(&argument, body.getArg(argument.getArgNo())->getType()));
  auto *call = ir.CreateCall(&body, values);
  if (convergent) call->setConvergent();
  ir.CreateRetVoid();
  return kernel;
}

} // namespace

EmittedValue Emitter::launch_call(IntrinsicCall &call) {
  Values args = call.args.drop_front(3);
  auto *body = args.size() < Fixed ? nullptr : llvm::dyn_cast_or_null<llvm::Function>(args[0].scalar());
  if (!body || !body->hasFnAttribute(DeferredAttribute) || !body->getReturnType()->isVoidTy())
    return bad(call, "the kernel to launch is not known at compile time");
  if (!job_.config.kernel) return bad(call, "only a kernel launches others");
  llvm::Type *i32 = b_.getInt32Ty();
  llvm::SmallVector<llvm::Type *, Fixed> fixed(Fixed, i32);
  fixed.front() = b_.getPtrTy();
  fixed.back() = b_.getInt64Ty();
  llvm::SmallVector<llvm::Value *, 16> values;
  for (size_t i = 0; i < args.size(); ++i) {
    if (i < Fixed && (args[i].leaves.size() != 1 || args[i].scalar()->getType() != fixed[i]))
      return bad(call, "argument " + std::to_string(i + 1) + " is of another type");
    if (i >= Fixed && !types_.is_isbits(args[i].type()) && !args[i].shape->leaves.empty())
      return bad(call,
                 "argument " + std::to_string(i - Fixed) + " of the kernel to launch is of type " +
                     spell(args[i].type()) +
                     ", which is not a bitstype: it is this thread's own, and another grid cannot see it");
    for (llvm::Value *leaf : args[i].leaves)
      values.push_back(i < Fixed ? leaf : b_.CreateZExt(leaf, parameter_type(leaf->getType())));
  }
  if (values.size() != Fixed + body->arg_size())
    return bad(call, "the kernel to launch takes other arguments");
  values[0] = grid_kernel(*body, capabilities_.convergent_calls);
  auto *type = llvm::FunctionType::get(i32, fixed, true);
  auto *out = b_.CreateCall(declare("kiln.launch", type), values);
  if (capabilities_.convergent_calls) out->setConvergent();
  return make(shapes_.get(call.result), out);
}

} // namespace kiln
