// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to code (deferred_codegen), and calls through them. Each field of an argument becomes a parameter,
// as in other functions. The signature depends on the types alone, not on known constants, since the holder
// of a pointer knows only the types.
#include "emitter.h"

#include <job/job.h>
#include <llvm_support/llvm_support.h>

namespace kiln {

namespace {

llvm::Type *returned(llvm::LLVMContext &context, const Shape &shape) {
  if (shape.leaves.empty()) return llvm::Type::getVoidTy(context);
  if (shape.leaves.size() == 1) return shape.leaves[0];
  return llvm::StructType::get(context, shape.leaves);
}

} // namespace

/// Declares a function whose signature depends only on the types of `code`, not on known constants.
llvm::Function *Emitter::flat_function(const CodeInstance &code, const std::string &name,
                                       llvm::GlobalValue::LinkageTypes linkage) {
  llvm::SmallVector<llvm::Type *, 8> parameters;
  for (const Lattice &argument : code.arguments) {
    const Shape *shape = shapes_.get(argument.type);
    parameters.append(shape->leaves.begin(), shape->leaves.end());
  }
  const Shape *result = shapes_.get(code.result.type ? code.result.type : types_.bottom());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(returned(context_, *result), parameters, false), linkage, name, *module_);
  function->setDoesNotThrow();
  function->addFnAttr(DeferredAttribute);
  if (capabilities_.convergent_calls) function->setConvergent();
  return function;
}

EmittedValue Emitter::deferred_codegen(const CodeInstance &target, TypeRef pointer) {
  auto [it, fresh] = deferred_.try_emplace(&target, nullptr);
  if (fresh) {
    it->second = flat_function(
        target, "julia_" + safe_name(target.code->name.text()) + "_" + std::to_string(++function_count_),
        llvm::GlobalValue::InternalLinkage);
    queue_.emplace_back(&target, it->second);
  }
  return make(shapes_.get(pointer), it->second);
}

/// Declares the function of a nested job. The pipeline compiles that job later and links the function in.
EmittedValue Emitter::deferred_codegen_in(Frame &frame, const CallInfo &call, uint32_t stmt) {
  const CodeInstance &target = *call.cases[0].target;
  const Value *known = this->known(frame, call.args[0]);
  Symbol config = known ? known->as_symbol() : Symbol();
  if (!config) {
    const EmittedValue val = argument(frame, call.args[0]);
    if (!val) return {};
    config = symbol_parameter(val.type(), 0);
  }
  auto [it, fresh] = nested_.try_emplace({&target, config.str()}, nullptr);
  if (fresh) {
    it->second = flat_function(target,
                               "julia_" + safe_name(target.code->name.text()) + "_in_" + config.str() + "_" +
                                   std::to_string(++function_count_),
                               llvm::GlobalValue::ExternalLinkage);
    nested_calls_.push_back({it->second->getName().str(), config.str(), &target,
                             sources_.locate(frame.code.ssa->stmts[stmt].at)});
  }
  return make(shapes_.get(frame.code.types[stmt].type), it->second);
}

/// Converts the arguments of an indirect call to parameters, one per leaf. The intrinsic's arguments are the
/// name or pointer, the result type R, Tuple{argument types}, and the arguments of the call.
Emitter::FlatCall Emitter::flatten(IntrinsicCall &call) {
  FlatCall flat;
  auto wrong = [&](const std::string &what) {
    flat.fault = bad(call, what);
    return flat;
  };
  TypeRef returns = known_type(call.frame, call.refs[1]), takes = known_type(call.frame, call.refs[2]);
  auto *tuple = takes ? takes->as<DataType>() : nullptr;
  if (!returns || !tuple || !tuple->is_tuple()) return wrong("its types are not known at compile time");
  Values args = call.args.drop_front(3);
  if (args.size() != tuple->params().size()) return wrong("as many arguments as argument types are needed");
  for (size_t i = 0; i < args.size(); ++i) {
    const Shape *shape = shapes_.get(tuple->params()[i]);
    if (args[i].shape != shape && !is_subtype(types_, args[i].type(), shape->type))
      return wrong("argument " + std::to_string(i + 1) + " must be of type " + to_string(shape->type));
    EmittedValue value = coerce(args[i], shape);
    flat.parameters.append(shape->leaves.begin(), shape->leaves.end());
    flat.values.append(value.leaves.begin(), value.leaves.end());
  }
  flat.result = shapes_.get(returns);
  return flat;
}

EmittedValue Emitter::from_parts(const Shape *result, llvm::CallInst *out) {
  if (capabilities_.convergent_calls) out->setConvergent();
  if (result->leaves.empty()) return {result, {}};
  if (result->leaves.size() == 1) return make(result, out);
  llvm::SmallVector<llvm::Value *, 8> parts;
  for (unsigned i = 0; i < result->leaves.size(); ++i) parts.push_back(b_.CreateExtractValue(out, i));
  return make(result, parts);
}

EmittedValue Emitter::pointer_call(IntrinsicCall &call) {
  FlatCall flat = flatten(call);
  if (!flat.result) return flat.fault;
  auto *type = llvm::FunctionType::get(returned(context_, *flat.result), flat.parameters, false);
  llvm::Value *callee = call.args[0].scalar();
  if (auto *function = llvm::dyn_cast<llvm::Function>(callee);
      function && function->getFunctionType() != type)
    return bad(call, "the code behind the pointer takes other types, or gives another");
  auto *out = b_.CreateCall(type, callee, flat.values);
  if (!llvm::isa<llvm::Function>(callee)) out->addFnAttr(llvm::Attribute::get(context_, DeferredAttribute));
  return from_parts(flat.result, out);
}

/// Calls a function whose body is an embedder's LLVM IR. link_ir_functions() adds the body later.
EmittedValue Emitter::ir_call(IntrinsicCall &call, std::string_view name) {
  FlatCall flat = flatten(call);
  if (!flat.result) return flat.fault;
  auto *type = llvm::FunctionType::get(returned(context_, *flat.result), flat.parameters, false);
  llvm::Function *function = module_->getFunction(llvm::StringRef(name));
  if (!function) {
    function =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, llvm::StringRef(name), *module_);
    function->setDoesNotThrow();
    if (capabilities_.convergent_calls) function->setConvergent();
  } else if (function->getFunctionType() != type) {
    return bad(call, "the IR of `" + std::string(name) + "` is called with two different types");
  }
  return from_parts(flat.result, b_.CreateCall(function, flat.values));
}

} // namespace kiln
