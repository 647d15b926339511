// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of foreign functions, and device features: kernel state, shared and local memory, constant strings.
#include "emitter.h"
#include "renamed_intrinsics.h"

namespace kiln {

llvm::FunctionCallee Emitter::declare(std::string_view name, llvm::FunctionType *type) {
  llvm::StringRef n(name);
  if (llvm::Function *known = module_->getFunction(n)) return {type, known};
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, n, *module_);
  function->setDoesNotThrow();
  auto pure = [&] {
    function->setDoesNotAccessMemory();
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->addFnAttr(llvm::Attribute::NoFree);
    function->addFnAttr(llvm::Attribute::NoSync);
  };
  if (name == "kiln.throw") {
    function->setDoesNotReturn();
    function->addFnAttr(llvm::Attribute::Cold);
  } else if (name == "kiln.static_error") {
    function->addFnAttr(llvm::Attribute::Cold);
  } else if (n.starts_with("kiln.")) {
    // Functions with these prefixes only return a thread's position or device properties. Any other function
    // named kiln.* may be a barrier.
    bool is_query = false;
    for (llvm::StringRef prefix : {"thread_idx", "block_idx", "block_dim", "grid_dim", "warp_size", "lane_id",
                                   "state", "debug_level", "parameter_address"})
      is_query |= n.drop_front(5).starts_with(prefix);
    if (is_query) {
      pure();
      function->addFnAttr(llvm::Attribute::Speculatable);
    } else {
      function->setConvergent();
    }
  } else {
    static constexpr llvm::StringRef math[] = {
        "acos", "acosh", "asin", "asinh", "atan",  "atan2", "atanh", "cbrt",   "ceil", "copysign",  "cos",
        "cosh", "erf",   "erfc", "exp",   "exp10", "exp2",  "expm1", "fabs",   "fdim", "floor",     "fma",
        "fmax", "fmin",  "fmod", "hypot", "ldexp", "log",   "log10", "log1p",  "log2", "nearbyint", "pow",
        "rint", "round", "sin",  "sinh",  "sqrt",  "tan",   "tanh",  "tgamma", "trunc"};
    llvm::StringRef stem = n.ends_with("f") && n != "erf" ? n.drop_back() : n;
    // Functions with two results return the second through a pointer, so they are not pure.
    bool has_pointer = llvm::any_of(type->params(), [](llvm::Type *t) { return t->isPointerTy(); });
    if (!has_pointer && (n.starts_with("__nv_") || llvm::is_contained(math, stem)))
      pure();
    else if (capabilities_.convergent_calls)
      function->setConvergent(); // the function may wait for other threads
  }
  return {type, function};
}

/// Appends the types that a value has in the signature of an LLVM intrinsic. A tuple of VecElements is one
/// vector. A tuple of such tuples is several vectors.
void Emitter::registers(const Shape *shape, llvm::SmallVectorImpl<llvm::Type *> &into) {
  auto *data = shape->kind == Kind::Aggregate ? shape->type->as<DataType>() : nullptr;
  if (data && vector_element(types_, data))
    into.push_back(llvm::FixedVectorType::get(shape->leaves[0], unsigned(shape->leaves.size())));
  else if (data)
    for (const Shape *part : shape->parts) registers(part, into);
  else
    into.append(shape->leaves.begin(), shape->leaves.end());
}

llvm::Type *Emitter::register_type(const Shape *shape) {
  llvm::SmallVector<llvm::Type *, 8> types;
  registers(shape, types);
  return types.empty() ? nullptr : types.size() == 1 ? types[0] : llvm::StructType::get(context_, types);
}

/// Converts a value to the single LLVM value that an intrinsic takes.
llvm::Value *Emitter::to_register(EmittedValue value) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(register_type(value.shape));
  if (!type) return value.scalar();
  llvm::Value *vector = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < value.leaves.size(); ++i)
    vector = b_.CreateInsertElement(vector, value.leaves[i], i);
  return vector;
}

EmittedValue Emitter::from_registers(llvm::Value *result, const Shape *shape) {
  llvm::SmallVector<llvm::Value *, 16> leaves;
  auto add = [&](llvm::Value *part) {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(part->getType());
    if (!vector) leaves.push_back(part);
    for (unsigned i = 0; vector && i < vector->getNumElements(); ++i)
      leaves.push_back(b_.CreateExtractElement(part, i));
  };
  if (auto *several = llvm::dyn_cast<llvm::StructType>(result->getType()))
    for (unsigned i = 0; i < several->getNumElements(); ++i) add(b_.CreateExtractValue(result, i));
  else
    add(result);
  return make(shape, leaves);
}

EmittedValue Emitter::foreign_call(IntrinsicCall &call) {
  const Value *name_value = known(call.frame, call.refs[0]);
  Symbol symbol = name_value ? name_value->as_symbol() : symbol_parameter(call.args[0].type(), 0);
  std::string_view name = symbol.text();
  if (name_value && name_value->as_string()) name = *name_value->as_string();
  if (name.starts_with("extern ")) name.remove_prefix(7);
  if (name.empty()) return bad(call, "the function's name is not known at compile time");
  if (name.starts_with("kiln.ir.")) return ir_call(call, name);
  if (name.starts_with(abi::HostFunctionPrefix)) return host_call(call, name);
  if (name == "kiln.launch") return launch_call(call);
  TypeRef returns = known_type(call.frame, call.refs[1]), takes = known_type(call.frame, call.refs[2]);
  auto *tuple = takes ? takes->as<DataType>() : nullptr;
  if (!returns || !tuple || !tuple->is_tuple()) return bad(call, "its types are not known at compile time");
  Values args = call.args.drop_front(3);
  size_t fixed = tuple->params().size();
  bool open = fixed && tuple->params().back()->is<VarargType>(); // such as printf
  fixed -= open ? 1 : 0;
  if (open ? args.size() < fixed : args.size() != fixed)
    return bad(call, "as many arguments as argument types are needed");

  // LLVM intrinsics take a Bool as i1. Other functions take a byte, as C functions do.
  bool is_llvm = name.starts_with("llvm.");
  auto outside = [&](const Shape *shape) -> llvm::Type * {
    if (shape->leaves.empty()) return nullptr;
    return is_llvm ? register_type(shape) : shapes_.memory_type(shape);
  };
  llvm::SmallVector<llvm::Type *, 6> parameters;
  llvm::SmallVector<llvm::Value *, 6> values;
  llvm::SmallVector<llvm::Attribute::AttrKind, 6> extensions;
  for (size_t i = 0; i < args.size(); ++i) {
    const Shape *shape = i < fixed ? shapes_.get(tuple->params()[i]) : args[i].shape;
    if (args[i].shape != shape && !is_subtype(types_, args[i].type(), shape->type))
      return bad(call, "argument " + std::to_string(i + 1) + " must be of type " + spell(shape->type));
    const bool is_text = shape->kind == Kind::Opaque && name.starts_with("kiln.string_");
    if (!shape->layout && !is_text)
      return bad(call, "values of type " + spell(shape->type) + " cannot be passed");
    llvm::Type *type = outside(shape);
    if (!type) continue;
    EmittedValue value = coerce(args[i], shape);
    if (i < fixed) parameters.push_back(type);
    if (is_llvm && type->isStructTy())
      return bad(call,
                 "structs cannot be passed to LLVM's functions; their parts can, and tuples of VecElement");
    values.push_back(is_llvm ? to_register(value) : pack(value));
    bool is_small = type->isIntegerTy() && type->getIntegerBitWidth() < 32;
    extensions.push_back(!is_small || is_llvm            ? llvm::Attribute::None
                         : types_.is_signed(shape->type) ? llvm::Attribute::SExt
                                                         : llvm::Attribute::ZExt);
  }
  const Shape *result = shapes_.get(returns);
  if (!result->leaves.empty() && !result->layout)
    return bad(call, "values of type " + spell(returns) + " cannot be returned");
  llvm::Type *return_type = outside(result);
  auto *type = llvm::FunctionType::get(return_type ? return_type : b_.getVoidTy(), parameters, open);

  if (is_llvm && is_renamed_intrinsic(name, *type)) {
    llvm::Value *value = call_renamed_intrinsic(b_, *module_, name, type, values);
    return value ? from_registers(value, result) : EmittedValue{result, {}};
  }
  llvm::Function *known_function = module_->getFunction(llvm::StringRef(name));
  if (known_function && known_function->getFunctionType() != type)
    return bad(call, "`" + std::string(name) + "` is called with two different types");
  llvm::Function *function = known_function;
  if (is_llvm) {
    if (!function)
      function =
          llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, llvm::StringRef(name), *module_);
    llvm::SmallVector<llvm::Type *, 4> overloads;
    auto id = function->getIntrinsicID();
    bool fits =
        id != llvm::Intrinsic::not_intrinsic && llvm::Intrinsic::getIntrinsicSignature(id, type, overloads);
    if (fits && llvm::Intrinsic::isOverloaded(id)) {
      std::string canonical = llvm::Intrinsic::getName(id, overloads, module_.get(), type);
      fits = canonical == name || llvm::Intrinsic::getBaseName(id) == llvm::StringRef(name);
      if (fits && canonical != name) {
        function->eraseFromParent();
        function = llvm::Intrinsic::getOrInsertDeclaration(module_.get(), id, overloads);
      }
    }
    std::string problem;
    if (!fits)
      problem = id == llvm::Intrinsic::not_intrinsic ? "LLVM has no intrinsic `" + std::string(name) + "`"
                                                     : "`" + std::string(name) + "` has another type";
    for (unsigned i = 0; fits && i < values.size(); ++i)
      if (function->hasParamAttribute(i, llvm::Attribute::ImmArg) &&
          !llvm::isa<llvm::ConstantInt, llvm::ConstantFP>(values[i]))
        problem = "argument " + std::to_string(i + 1) + " of `" + std::string(name) + "` must be a constant";
    if (!problem.empty()) {
      if (function->use_empty()) function->eraseFromParent();
      return bad(call, problem);
    }
  } else {
    function = llvm::cast<llvm::Function>(declare(name, type).getCallee());
  }
  auto *out = b_.CreateCall(function, values);
  for (unsigned i = 0; i < extensions.size(); ++i)
    if (extensions[i] != llvm::Attribute::None) out->addParamAttr(i, extensions[i]);
  if (result->kind == Kind::Never) {
    end_block();
    return {};
  }
  if (!return_type) return {result, {}};
  if (is_llvm) return from_registers(out, result);
  llvm::SmallVector<llvm::Value *, 4> leaves;
  unpack(out, result, leaves);
  return make(result, leaves);
}

std::optional<EmittedValue> Emitter::device_intrinsic(IntrinsicCall &call) {
  switch (call.id) {
  case Intrinsic::foreign_call: return foreign_call(call);
  case Intrinsic::pointer_call: return pointer_call(call);
  case Intrinsic::kernel_state: {
    auto callee = declare("kiln.state", llvm::FunctionType::get(b_.getPtrTy(), false));
    return make(shapes_.get(call.result), b_.CreateCall(callee));
  }
  case Intrinsic::debug_level: {
    auto callee = declare("kiln.debug_level", llvm::FunctionType::get(b_.getInt32Ty(), false));
    return one(types_.builtins().Int32, b_.CreateCall(callee));
  }
  case Intrinsic::device_string: {
    Symbol symbol = symbol_parameter(call.args[0].type(), 0);
    if (!symbol) return bad(call, "expected Val(:text)");
    return make(shapes_.get(call.result), text(symbol.text()));
  }
  case Intrinsic::static_shared:
  case Intrinsic::stack_alloc: {
    TypeRef element = known_type(call.frame, call.refs[0]);
    auto count = integer_parameter(call.args[1].type(), 0);
    const Shape *shape = element ? shapes_.get(element) : nullptr;
    if (!shape || !shape->layout || !count || *count < 0)
      return bad(call, "expected a bits type and Val(count)");
    auto *type = llvm::ArrayType::get(shapes_.memory_type(shape), uint64_t(*count));
    const Shape *to = shapes_.get(call.result);
    if (call.id == Intrinsic::stack_alloc) return make(to, stack_slot(type, shape->layout->align));
    auto *array = new llvm::GlobalVariable(
        *module_, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
        "kiln_shared_" + llvm::Twine(++shared_count_), nullptr, llvm::GlobalValue::NotThreadLocal, 3);
    array->setAlignment(llvm::Align(32)); // the largest alignment that loads of matrix units need
    return make(to, b_.CreateAddrSpaceCast(
                        array, to->leaves[0])); // the native target places the array in the block's memory
  }
  case Intrinsic::dynamic_shared: {
    const Shape *to = shapes_.get(call.result);
    llvm::StringRef name = "kiln_dynamic_shared";
    auto *array = module_->getGlobalVariable(name);
    if (!array) {
      array = new llvm::GlobalVariable(*module_, llvm::ArrayType::get(b_.getInt8Ty(), 0), false,
                                       llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                       llvm::GlobalValue::NotThreadLocal, 3);
      array->setAlignment(llvm::Align(16));
    }
    return make(to, b_.CreateAddrSpaceCast(array, to->leaves[0]));
  }
  default: return {};
  }
}

} // namespace kiln
