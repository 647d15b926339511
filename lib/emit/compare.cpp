// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests isa and === for values whose type is only partly known.
#include "emitter.h"

namespace kiln {

llvm::Value *Emitter::is_instance(EmittedValue value, TypeRef type) {
  TypeRef have = value.type();
  if (have == type || is_subtype(types_, have, type)) return b_.getTrue();
  if (!may_intersect(types_, have, type)) return b_.getFalse();
  if (value.is(Kind::Union)) {
    llvm::Value *result = b_.getFalse();
    for (size_t m = 0; m < value.shape->parts.size(); ++m) {
      llvm::Value *fits = is_instance(value.part(m), type);
      if (!fits) return nullptr;
      auto *known = llvm::dyn_cast<llvm::ConstantInt>(fits);
      if (known && known->isZero()) continue;
      result = b_.CreateSelect(tag_is(value, m), fits, result);
    }
    return result;
  }
  auto *tuple = type->as<DataType>();
  if (value.is(Kind::Aggregate) && tuple && tuple->is_tuple() && have->as<DataType>()->is_tuple() &&
      tuple->params().size() == value.shape->parts.size()) {
    llvm::Value *result = b_.getTrue();
    for (size_t i = 0; i < tuple->params().size(); ++i) {
      if (tuple->params()[i]->is<VarargType>()) return nullptr;
      llvm::Value *fits = is_instance(value.part(i), tuple->params()[i]);
      if (!fits) return nullptr;
      result = b_.CreateAnd(result, fits);
    }
    return result;
  }
  // At run time a value that is a type is a pointer, which identifies the type.
  if (TypeRef one = types_.type_parameter(type); one && value.is(Kind::Opaque))
    return b_.CreateICmpEQ(value.scalar(), identity(Value::type_value(types_, one)));
  if (types_.is_singleton(type) && value.is(Kind::Opaque) && !types_.is_concrete(have))
    return b_.CreateICmpEQ(value.scalar(), identity(types_.singleton_value(type)));
  return nullptr;
}

/// References to one value of the interpreter may differ.
llvm::Value *Emitter::same_reference(llvm::Value *a, llvm::Value *b) {
  auto same = module_->getOrInsertFunction("kiln.reference.same_reference", b_.getInt1Ty(), b_.getPtrTy(),
                                           b_.getPtrTy());
  return b_.CreateCall(same, {a, b});
}

llvm::Value *Emitter::equal(EmittedValue a, EmittedValue b) {
  if (a.is(Kind::Never) || b.is(Kind::Never)) return b_.getFalse();
  if (a.shape != b.shape && !may_intersect(types_, a.type(), b.type())) return b_.getFalse();
  if (a.is(Kind::Union) || b.is(Kind::Union)) {
    EmittedValue u = a.is(Kind::Union) ? a : b, other = a.is(Kind::Union) ? b : a;
    llvm::Value *result = b_.getFalse();
    for (size_t m = 0; m < u.shape->parts.size(); ++m) {
      llvm::Value *same = equal(u.part(m), other);
      if (!same) return nullptr;
      auto *known = llvm::dyn_cast<llvm::ConstantInt>(same);
      if (known && known->isZero()) continue;
      // The payload of a union's member is poison while the union holds another member: select by the tag.
      result = b_.CreateSelect(tag_is(u, m), same, result);
    }
    return result;
  }
  if (a.is(Kind::Ghost) && b.is(Kind::Ghost)) return b_.getInt1(a.type() == b.type());
  if (a.is(Kind::Opaque) || b.is(Kind::Opaque)) {
    auto has_identity = [&](EmittedValue v) {
      return v.is(Kind::Ghost) || (v.is(Kind::Opaque) && types_.is_concrete(v.type()));
    };
    if (!has_identity(a) && !has_identity(b)) return nullptr;
    // An array of bits is the address of its header, of which it has one. Others are references.
    const DataType *data = a.type()->as<DataType>();
    const bool is_reference =
        data == types_.builtins().String ||
        (data && &data->name() == types_.builtins().ArrayName && !types_.is_isbits(data->params()[0]));
    if (is_host_code() && a.shape == b.shape && is_reference) return same_reference(a.scalar(), b.scalar());
    const Shape *any = shapes_.get(types_.builtins().Any);
    return b_.CreateICmpEQ(coerce(a, any).scalar(), coerce(b, any).scalar());
  }
  if (a.shape->kind != b.shape->kind) return b_.getFalse();
  if (a.is(Kind::Scalar) || a.is(Kind::Mutable)) {
    if (a.type() != b.type()) return b_.getFalse();
    return b_.CreateICmpEQ(as_integer(a.scalar()), as_integer(b.scalar()));
  }
  if (a.shape->parts.size() != b.shape->parts.size()) return b_.getFalse();
  llvm::Value *result = b_.getTrue();
  for (size_t i = 0; i < a.shape->parts.size(); ++i) {
    llvm::Value *same = equal(a.part(i), b.part(i));
    if (!same) return nullptr;
    if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(same)) {
      if (known->isZero()) return same;
      continue;
    }
    auto *before = llvm::dyn_cast<llvm::ConstantInt>(result);
    result = before ? same : b_.CreateSelect(result, same, b_.getFalse());
  }
  return result;
}

} // namespace kiln
