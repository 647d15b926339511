// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates operands of statements: values of other statements, arguments, constants.
#include "emitter.h"

namespace kiln {

const Lattice *Emitter::lattice(Frame &frame, Operand operand) {
  if (operand.kind == Operand::Kind::Ssa) return &frame.code.types[operand.index];
  if (operand.kind == Operand::Kind::Slot) return &frame.code.arguments[operand.index];
  return nullptr;
}

EmittedValue Emitter::operand(Frame &frame, Operand operand) {
  if (const Lattice *known = lattice(frame, operand)) {
    if (known->constant) return constant(frame, *known->constant, known->type);
    return operand.kind == Operand::Kind::Ssa ? frame.values[operand.index] : frame.args[operand.index];
  }
  const Value *value = known(frame, {operand, -1});
  if (value) return constant(frame, *value, types_.type_of(*value));
  if (operand.kind == Operand::Kind::StaticParam) {
    TypeRef parameter = frame.code.instance->static_params[operand.index];
    auto *var = parameter->as<TypeVar>();
    fault(frame, ErrorCode::UndefVarError,
          "static parameter `" + (var ? var->name().str() : spell(parameter)) +
              "` has no value: the signature does not determine it");
  } else if (operand.kind == Operand::Kind::Global) {
    if (EmittedValue variable = host_variable(frame, operand)) return variable;
    fault(frame, ErrorCode::UndefVarError,
          "`" + frame.code.code->globals[operand.index].name.str() + "` has no value known at compile time");
  }
  return {};
}

/// Reads a variable that refers to a value of the interpreter.
EmittedValue Emitter::host_variable(Frame &frame, Operand operand) {
  const Lattice &known = frame.code.globals[operand.index];
  if (!is_host_code() || !known.type || known.poison) return {};
  const Shape *shape = shapes_.get(known.type);
  if (shape->leaves.size() != 1 || !shape->leaves[0]->isPointerTy()) return {};
  const GlobalName &name = frame.code.code->globals[operand.index];
  auto variable = module_->getOrInsertFunction("kiln.reference.variable", b_.getPtrTy(), b_.getInt64Ty());
  const std::string full_name = name.module->full_name() + "." + name.name.str();
  auto *reference = b_.CreateCall(variable, b_.getInt64(abi::symbol_identity(full_name)));
  throw_unless(frame, b_.CreateIsNotNull(reference), "UndefVarError", name.name.text());
  return make(shape, llvm::ArrayRef<llvm::Value *>(reference));
}

EmittedValue Emitter::argument(Frame &frame, const ArgRef &ref) {
  EmittedValue value = operand(frame, ref.operand);
  return ref.field < 0 || !value ? value : field(value, size_t(ref.field));
}

const Value *Emitter::known(Frame &frame, const ArgRef &ref) {
  const Value *value = nullptr;
  const Operand &op = ref.operand;
  if (const Lattice *l = lattice(frame, op)) {
    if (l->constant)
      value = &*l->constant;
    else if (ref.field >= 0 && l->fields && size_t(ref.field) < l->fields->size()) {
      const Lattice &part = (*l->fields)[size_t(ref.field)];
      return part.constant ? &*part.constant : nullptr;
    }
  } else if (op.kind == Operand::Kind::Const) {
    value = &frame.code.constant(op.index);
  } else if (op.kind == Operand::Kind::StaticParam) {
    TypeRef parameter = frame.code.instance->static_params[op.index];
    if (auto *c = parameter->as<ConstType>())
      value = &c->value();
    else if (!parameter->is<TypeVar>())
      value = &kept_.emplace_back(Value::type_value(types_, parameter));
  } else if (op.kind == Operand::Kind::Global) {
    const Lattice &global = frame.code.globals[op.index];
    if (global.constant) value = &*global.constant;
  }
  if (!value || ref.field < 0) return value;
  const std::vector<Value> *fields = value->fields();
  return fields && size_t(ref.field) < fields->size() ? &(*fields)[size_t(ref.field)] : nullptr;
}

TypeRef Emitter::known_type(Frame &frame, const ArgRef &ref) {
  if (const Value *value = known(frame, ref)) return value->as_type();
  const Lattice *l = ref.field < 0 ? lattice(frame, ref.operand) : nullptr;
  return l && l->type ? types_.type_parameter(l->type) : nullptr;
}

EmittedValue Emitter::constant(Frame &frame, const Value &value, TypeRef type) {
  const Shape *shape = shapes_.get(type);
  if (shape->kind == Kind::Ghost) return {shape, {}};
  if (shape->kind == Kind::Never || (shape->kind == Kind::Opaque && !types_.is_concrete(type)))
    shape = shapes_.get(types_.type_of(value));
  llvm::SmallVector<llvm::Value *, 8> leaves;
  append_constant(frame, value, shape, leaves);
  return make(shape, leaves);
}

void Emitter::append_constant(Frame &frame, const Value &value, const Shape *shape,
                              llvm::SmallVectorImpl<llvm::Value *> &leaves) {
  switch (shape->kind) {
  case Kind::Never:
  case Kind::Ghost: return;
  case Kind::Scalar: {
    llvm::Type *type = shape->leaves[0];
    if (!value.is_primitive()) break;
    const PrimitiveBits &bits = value.bits();
    if (type->isPointerTy()) {
      has_addresses_ |= bits[0] != 0;
      auto *address = llvm::ConstantInt::get(b_.getInt64Ty(), bits[0]);
      leaves.push_back(bits[0] ? llvm::ConstantExpr::getIntToPtr(address, type)
                               : llvm::Constant::getNullValue(type));
    } else if (type->isFloatingPointTy()) {
      llvm::APInt raw(type->getScalarSizeInBits(), llvm::ArrayRef(bits.data(), 2));
      leaves.push_back(llvm::ConstantFP::get(context_, llvm::APFloat(type->getFltSemantics(), raw)));
    } else {
      leaves.push_back(llvm::ConstantInt::get(
          context_, llvm::APInt(type->getIntegerBitWidth(), llvm::ArrayRef(bits.data(), 2))));
    }
    return;
  }
  case Kind::Aggregate: {
    const std::vector<Value> *fields = value.fields();
    if (!fields || fields->size() != shape->parts.size()) break;
    for (size_t i = 0; i < fields->size(); ++i) append_constant(frame, (*fields)[i], shape->parts[i], leaves);
    return;
  }
  case Kind::Union: {
    EmittedValue member = constant(frame, value, types_.type_of(value));
    EmittedValue whole = coerce(member, shape);
    leaves.append(whole.leaves.begin(), whole.leaves.end());
    return;
  }
  case Kind::Opaque: leaves.push_back(identity(value)); return;
  case Kind::Mutable: {
    if (!dead())
      fault(frame, ErrorCode::Unsupported, "use of a global value of mutable type " + spell(shape->type),
            "Compiled code cannot reach mutable values of the host; pass it as an argument.");
    break;
  }
  }
  for (llvm::Type *leaf : shape->leaves) leaves.push_back(llvm::PoisonValue::get(leaf));
}

llvm::Constant *Emitter::identity(const Value &value) {
  auto [it, fresh] = identities_.try_emplace(value, nullptr);
  if (!fresh) return it->second;
  if (Symbol symbol = value.as_symbol()) { // an argument may also be a symbol
    it->second =
        llvm::ConstantExpr::getIntToPtr(b_.getInt64(abi::symbol_identity(symbol.text())), b_.getPtrTy());
    identity_of_[it->second] = &it->first;
    return it->second;
  }
  std::string text;
  if (const std::string *string = value.as_string())
    text = *string;
  else if (TypeRef type = value.as_type())
    text = to_string(type);
  else
    text = to_string(value.type());
  auto *bytes = llvm::ConstantDataArray::getString(context_, text);
  // The constant is not marked unnamed_addr. Its address identifies the value, so that LLVM must not merge
  // equal constants.
  it->second = new llvm::GlobalVariable(*module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                        bytes, "kiln_value_" + llvm::Twine(identities_.size()));
  identity_of_[it->second] = &it->first;
  return it->second;
}

llvm::Constant *Emitter::boxed(TypeRef type) {
  llvm::GlobalVariable *&known = boxed_[type];
  if (!known)
    known = new llvm::GlobalVariable(*module_, b_.getInt8Ty(), true, llvm::GlobalValue::PrivateLinkage,
                                     b_.getInt8(0), "kiln_boxed_" + llvm::Twine(boxed_.size()));
  return known;
}

llvm::Constant *Emitter::text(std::string_view text) {
  llvm::Constant *&known = texts_[llvm::StringRef(text)];
  if (known) return known;
  auto *bytes = llvm::ConstantDataArray::getString(context_, llvm::StringRef(text));
  auto *global = new llvm::GlobalVariable(*module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                          bytes, "kiln_text_" + llvm::Twine(++text_count_));
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  global->setAlignment(llvm::Align(1));
  return known = global;
}

} // namespace kiln
