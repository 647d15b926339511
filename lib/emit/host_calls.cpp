// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of host functions (kiln/host_function.h) by C's calling convention. Each call reads the function's
// address from a variable. A function that may fail returns a status.
#include "emitter.h"

#include <llvm_support/llvm_support.h>

namespace kiln {

/// Loads the function's address from its variable, which the loader defines.
llvm::Value *Emitter::host_address(llvm::StringRef symbol) {
  llvm::GlobalVariable *cell = module_->getGlobalVariable(symbol);
  if (!cell) {
    cell = new llvm::GlobalVariable(*module_, b_.getPtrTy(), false, llvm::GlobalValue::ExternalLinkage,
                                    nullptr, symbol);
    cell->setAlignment(llvm::Align(8));
  }
  auto *address = b_.CreateAlignedLoad(b_.getPtrTy(), cell, llvm::Align(8), "host");
  // Another thread may change the address by a new definition.
  address->setAtomic(llvm::AtomicOrdering::Monotonic);
  return address;
}

/// Throws the exception of the given number unless `status` is 0. Numbers start at 1. Each exception is
/// "Type: message".
void Emitter::raise_status(Frame &frame, llvm::Value *status, llvm::ArrayRef<llvm::StringRef> exceptions) {
  auto raise = [&](llvm::StringRef exception) {
    const auto [kind, message] = exception.split(": ");
    throw_exception(frame, kind, message);
  };
  auto *fail = new_block(), *next = new_block();
  b_.CreateCondBr(b_.CreateICmpEQ(status, b_.getInt32(0)), next, fail);
  begin_block(fail);
  for (unsigned i = 0; i + 1 < exceptions.size(); ++i) {
    auto *hit = new_block(), *other = new_block();
    b_.CreateCondBr(b_.CreateICmpEQ(status, b_.getInt32(i + 1)), hit, other);
    begin_block(hit);
    raise(exceptions[i]);
    begin_block(other);
  }
  raise(exceptions.back());
  begin_block(next);
}

/// Emits a call of a host function. The intrinsic's arguments are the symbol, the result type R,
/// Tuple{argument types}, and the arguments of the call. The symbol is the name, optionally with its
/// signature. Exceptions may follow the symbol, each after a \x1f.
EmittedValue Emitter::host_call(IntrinsicCall &call, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> exceptions;
  text.split(exceptions, '\x1f');
  const llvm::StringRef symbol = exceptions.front();
  exceptions.erase(exceptions.begin());
  const std::string name = symbol.drop_front(abi::HostFunctionPrefix.size()).split('(').first.str();
  // A method made by define_host_function() has no line of its own: messages name the line of its caller.
  const bool is_method = symbol.contains('(');
  Frame &frame = is_method && call.frame.caller ? *call.frame.caller : call.frame;
  if (&frame != &call.frame) set_location(frame, call.frame.call_at);
  auto refuse = [&](ErrorCode code, const std::string &message, std::string_view hint) {
    fault(frame, code, message, hint);
    if (!call.result->is<BottomType>()) return poison(shapes_.get(call.result));
    end_block();
    return EmittedValue();
  };
  if (!capabilities_.runs_on_host)
    return refuse(ErrorCode::HostFunctionOnDevice,
                  fmt::format("code for the {} target calls the host function `{}`",
                              std::string(job_.config.target.name()), name),
                  "call it on the host, and pass its result to the kernel");
  auto no_c_type = [&](const std::string &what, TypeRef type) {
    return refuse(ErrorCode::TypeError,
                  fmt::format("{} of the host function `{}` is a {}, which C code cannot take by value", what,
                              name, spell(type)),
                  "pass a pointer to it");
  };
  TypeRef returns = known_type(call.frame, call.refs[1]), takes = known_type(call.frame, call.refs[2]);
  auto *tuple = takes ? takes->as<DataType>() : nullptr;
  if (!returns || !tuple || !tuple->is_tuple()) return bad(call, "its types are not known at compile time");
  Values args = call.args.drop_front(3);
  if (args.size() != tuple->params().size())
    return bad(call, "as many arguments as argument types are needed");

  llvm::SmallVector<llvm::Type *, 6> parameters;
  llvm::SmallVector<llvm::Value *, 6> values;
  std::vector<std::pair<unsigned, llvm::Attribute>> attributes; // by parameter number
  auto add = [&](llvm::Value *value) {
    parameters.push_back(value->getType());
    values.push_back(value);
    return unsigned(values.size() - 1);
  };
  // maximum bytes that C passes in registers: of a number, and of a structure
  constexpr uint64_t max_in_register = 8, max_in_registers = 16;
  for (size_t i = 0; i < args.size(); ++i) {
    const Shape *shape = shapes_.get(tuple->params()[i]);
    if (args[i].shape != shape && !is_subtype(types_, args[i].type(), shape->type))
      return bad(call, "argument " + std::to_string(i + 1) + " must be of type " + spell(shape->type));
    const bool in_memory =
        shape->kind == Kind::Aggregate && shape->layout && shape->layout->size > max_in_registers;
    const bool in_register =
        shape->kind == Kind::Scalar && shape->layout && shape->layout->size <= max_in_register;
    if (!in_register && !in_memory) return no_c_type("argument " + std::to_string(i + 1), shape->type);
    const EmittedValue value = coerce(args[i], shape);
    llvm::Type *type = shapes_.memory_type(shape);
    if (in_memory) {
      const llvm::Align align(std::max<uint64_t>(shape->layout->align, 8));
      llvm::Value *copy = stack_slot(type, align.value());
      store(value, copy, 0);
      const unsigned at = add(copy);
      attributes.emplace_back(at, llvm::Attribute::getWithByValType(context_, type));
      attributes.emplace_back(at, llvm::Attribute::getWithAlignment(context_, align));
      continue;
    }
    const unsigned at = add(pack(value));
    if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
      attributes.emplace_back(at, llvm::Attribute::get(context_, types_.is_signed(shape->type)
                                                                     ? llvm::Attribute::SExt
                                                                     : llvm::Attribute::ZExt));
  }
  const Shape *result = shapes_.get(returns);
  const bool by_status = !exceptions.empty();
  const bool fits = result->kind == Kind::Ghost || (result->kind == Kind::Scalar && result->layout &&
                                                    result->layout->size <= max_in_register);
  if (!result->layout || !(by_status || fits)) return no_c_type("the result", returns);
  llvm::Type *value_type = result->kind == Kind::Ghost ? nullptr : shapes_.memory_type(result);
  llvm::Value *place = nullptr;
  if (by_status && value_type) {
    place = stack_slot(value_type, result->layout->align);
    add(place);
  }
  llvm::Type *returned = by_status ? b_.getInt32Ty() : value_type ? value_type : b_.getVoidTy();
  auto *out =
      b_.CreateCall(llvm::FunctionType::get(returned, parameters, false), host_address(symbol), values);
  out->setDoesNotThrow();
  out->addFnAttr(llvm::Attribute::get(context_, HostCallAttribute));
  for (const auto &[at, attribute] : attributes) out->addParamAttr(at, attribute);
  if (by_status) {
    raise_status(frame, out, exceptions);
    if (!place) return {result, {}};
    return load(result, place, 0, false);
  }
  if (!value_type) return {result, {}};
  llvm::SmallVector<llvm::Value *, 1> leaves;
  unpack(out, result, leaves);
  return make(result, leaves);
}

} // namespace kiln
