// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes structs and tuples; reads and replaces their fields.
#include "emitter.h"

namespace kiln {

EmittedValue Emitter::construct(Frame &frame, TypeRef type, Values fields) {
  const Shape *shape = shapes_.get(type);
  auto *data = type->as<DataType>();
  bool is_tuple = type == types_.builtins().Any || (data && data->is_tuple());
  // Take the element types from the field values, which are more precise.
  if (shape->kind == Kind::Opaque && is_tuple) {
    llvm::SmallVector<TypeRef, 8> elements;
    for (EmittedValue field : fields) elements.push_back(field.type());
    shape = shapes_.get(types_.tuple(std::span<const TypeRef>(elements.data(), elements.size())));
  }
  if (shape->kind == Kind::Ghost) return {shape, {}};
  bool is_object = shape->kind == Kind::Mutable;
  if ((shape->kind != Kind::Aggregate && !is_object) || fields.size() > shape->parts.size()) {
    fault(frame, ErrorCode::Unsupported, "construction of a value of type " + spell(type),
          "give the fields concrete types of plain data");
    return poison(shape);
  }
  llvm::SmallVector<llvm::Value *, 8> leaves;
  for (size_t i = 0; i < shape->parts.size(); ++i) {
    const Shape *part = shape->parts[i];
    if (i < fields.size() && fields[i].shape != part && !may_intersect(types_, fields[i].type(), part->type))
      fault(frame, ErrorCode::TypeError,
            "in new, field " + std::to_string(i + 1) + " of " + spell(type) + " expected " +
                spell(part->type) + ", got a value of type " + spell(fields[i].type()));
    if (is_object && part->has_mutable && i < fields.size())
      fault(frame, ErrorCode::Unsupported, "heap allocation of mutable struct " + spell(part->type),
            "It is stored in a field of " + spell(type) + ": store an immutable struct.");
    EmittedValue field =
        i < fields.size() ? coerce(fields[i], part) : poison(part); // new() may leave fields unset
    leaves.append(field.leaves.begin(), field.leaves.end());
  }
  if (!is_object) return make(shape, leaves);
  llvm::Value *object = stack_slot(shape->object, 0);
  for (size_t i = 0; i < leaves.size(); ++i)
    if (!llvm::isa<llvm::PoisonValue>(leaves[i])) b_.CreateStore(leaves[i], object_leaf(shape, object, i));
  return make(shape, object);
}

llvm::Value *Emitter::object_leaf(const Shape *shape, llvm::Value *object, size_t leaf) {
  return b_.CreateStructGEP(shape->object, object, unsigned(leaf));
}

EmittedValue Emitter::field(EmittedValue object, size_t index) {
  if (object.is(Kind::Aggregate)) return object.part(index);
  if (!object.is(Kind::Mutable)) { // a singleton has singleton fields
    auto *data = object.type()->as<DataType>();
    auto types = data ? types_.field_types(data) : std::span<const TypeRef>();
    return index < types.size() ? poison(shapes_.get(types[index])) : poison(shapes_.get(types_.bottom()));
  }
  const Shape *part = object.shape->parts[index];
  llvm::SmallVector<llvm::Value *, 4> leaves;
  for (size_t i = 0; i < part->leaves.size(); ++i)
    leaves.push_back(b_.CreateLoad(
        part->leaves[i], object_leaf(object.shape, object.scalar(), object.shape->first[index] + i)));
  return make(part, leaves);
}

/// Returns field `index` (from 0, in range) as a value of shape `to`.
EmittedValue Emitter::field_at(EmittedValue object, llvm::Value *index, const Shape *to) {
  // A tuple of singletons: the index only selects the member of a union.
  bool is_ghost = object.is(Kind::Ghost);
  auto *data = object.type()->as<DataType>();
  size_t count = !is_ghost ? object.shape->parts.size() : data ? types_.field_count(data) : 0;
  if (!count) return poison(to);
  llvm::SmallVector<EmittedValue, 8> fields;
  bool alike = !is_ghost;
  for (size_t i = 0; i < count; ++i) {
    fields.push_back(coerce(field(object, i), to));
    alike &= !is_ghost && object.shape->parts[i] == to;
  }
  if (count <= 4 || !alike) {
    EmittedValue result = fields.back();
    for (size_t i = count - 1; i-- > 0;)
      result = choose(b_.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), i)), fields[i], result);
    return result;
  }
  llvm::SmallVector<llvm::Value *, 4> leaves;
  for (size_t leaf = 0; leaf < to->leaves.size(); ++leaf) {
    auto *array = llvm::ArrayType::get(to->leaves[leaf], count);
    llvm::Value *slot = stack_slot(array, 0);
    for (size_t i = 0; i < count; ++i)
      b_.CreateStore(fields[i].leaves[leaf], b_.CreateConstInBoundsGEP2_64(array, slot, 0, i));
    llvm::Value *at =
        b_.CreateInBoundsGEP(array, slot, {b_.getInt64(0), b_.CreateZExtOrTrunc(index, b_.getInt64Ty())});
    leaves.push_back(b_.CreateLoad(to->leaves[leaf], at));
  }
  return make(to, leaves);
}

/// Index of a field, from 0, if its name or index is a constant; none: known only at run time.
std::optional<size_t> Emitter::field_number(IntrinsicCall &call, EmittedValue object, const ArgRef &name,
                                            bool &out_of_range) {
  auto *data = object.type()->as<DataType>();
  size_t count = data ? types_.field_count(data) : 0;
  int64_t number = -1;
  const Value *value = known(call.frame, name);
  if (value && value->as_symbol() && data) {
    number = types_.field_index(data, value->as_symbol());
  } else if (value && value->is_primitive()) {
    number = int64_t(value->low_bits()) - 1;
  } else {
    auto *index =
        llvm::dyn_cast<llvm::ConstantInt>(call.args[1].leaves.empty() ? nullptr : call.args[1].scalar());
    if (!index) return {};
    number = index->getSExtValue() - 1;
  }
  out_of_range = number < 0 || uint64_t(number) >= count;
  return size_t(number);
}

void Emitter::check_index(Frame &frame, llvm::Value *index, size_t count) {
  llvm::Type *type = index->getType();
  llvm::Value *zero_based = b_.CreateSub(index, llvm::ConstantInt::get(type, 1));
  throw_unless(frame, b_.CreateICmpULT(zero_based, llvm::ConstantInt::get(type, count)), "BoundsError");
}

EmittedValue Emitter::get_field(IntrinsicCall &call) {
  EmittedValue object = call.args[0];
  const Shape *to = shapes_.get(call.result);
  if (object.is(Kind::Union)) {
    bool found = false;
    EmittedValue result = by_member(object, to, [&](size_t m) -> EmittedValue {
      bool out_of_range = false;
      EmittedValue member = object.part(m);
      auto number = field_number(call, member, call.refs[1], out_of_range);
      if (!number || out_of_range) return {};
      found = true;
      return coerce(field(member, *number), to);
    });
    return found ? result : bad(call, "no member of the union has this field");
  }
  if (!object.is(Kind::Aggregate) && !object.is(Kind::Mutable) && !object.is(Kind::Ghost))
    return bad(call, "its argument has no fields that are known at compile time");

  bool out_of_range = false;
  if (auto number = field_number(call, object, call.refs[1], out_of_range)) {
    if (!out_of_range) return field(object, *number);
    const Value *name = known(call.frame, call.refs[1]);
    if (name && name->as_symbol())
      return bad(call, "type " + spell(object.type()) + " has no field " + name->as_symbol().str());
    throw_exception(call.frame, "BoundsError");
    return {};
  }
  if (!call.args[1].is(Kind::Scalar) || !call.args[1].scalar()->getType()->isIntegerTy())
    return bad(call, "expected a constant name or an index");
  llvm::Value *index = call.args[1].scalar();
  auto *checked = call.args.size() > 2 && call.args[2].is(Kind::Scalar)
                      ? llvm::dyn_cast<llvm::ConstantInt>(call.args[2].scalar())
                      : nullptr;
  auto *data = object.type()->as<DataType>();
  if (!checked || !checked->isZero()) check_index(call.frame, index, data ? types_.field_count(data) : 0);
  if (dead()) return {};
  bool alike = !object.is(Kind::Ghost);
  for (const Shape *part : object.shape->parts) alike &= part == object.shape->parts[0];
  if (to->kind == Kind::Opaque) {
    if (!alike)
      return bad(call, "the type of field "
                       "at a run-time index is not known");
    if (!object.shape->parts.empty()) to = object.shape->parts[0];
  }
  return field_at(object, b_.CreateSub(index, llvm::ConstantInt::get(index->getType(), 1)), to);
}

EmittedValue Emitter::set_field(IntrinsicCall &call) {
  EmittedValue object = call.args[0];
  if (!object.is(Kind::Mutable)) return bad(call, "its argument is not of a mutable type");
  bool out_of_range = false;
  auto number = field_number(call, object, call.refs[1], out_of_range);
  if (!number || out_of_range) return bad(call, "expected the constant name of a field");
  const Shape *part = object.shape->parts[*number];
  EmittedValue value = call.args[2];
  if (value.shape != part && !may_intersect(types_, value.type(), part->type))
    return bad(call, "expected a value of type " + spell(part->type));
  if (part->has_mutable)
    fault(call.frame, ErrorCode::Unsupported, "heap allocation of mutable struct " + spell(part->type),
          "It is stored in a field of " + spell(object.type()) + ": store an immutable struct.");
  EmittedValue stored = coerce(value, part);
  for (size_t i = 0; i < stored.leaves.size(); ++i)
    b_.CreateStore(stored.leaves[i],
                   object_leaf(object.shape, object.scalar(), object.shape->first[*number] + i));
  return value;
}

/// Returns a pointer to a mutable struct, for code that accesses its fields through memory. The object is
/// allocated as a struct of leaves. Fails if that layout differs from the fields' own, as in struct {Int8,
/// Int32, Int8}, which ends with padding.
EmittedValue Emitter::object_pointer(IntrinsicCall &call) {
  EmittedValue object = call.args[0];
  if (!object.is(Kind::Mutable)) return bad(call, "its argument is not of a mutable type");
  const auto *lies =
      module_->getDataLayout().getStructLayout(llvm::cast<llvm::StructType>(object.shape->object));
  uint64_t offset = 0;
  for (size_t i = 0; i < object.shape->parts.size(); ++i) {
    const Shape *part = object.shape->parts[i];
    if (!part->layout) return bad(call, "a field is not of a bits type");
    offset = llvm::alignTo(offset, std::max<uint64_t>(part->layout->align, 1));
    llvm::SmallVector<Slot, 8> slots;
    shapes_.slots(part, offset, slots);
    for (size_t k = 0; k < slots.size(); ++k)
      if (lies->getElementOffset(unsigned(object.shape->first[i] + k)) != slots[k].offset)
        return bad(call, "its fields lie otherwise in a register than in memory: there is padding in them");
    offset += part->layout->size;
  }
  const Shape *to = shapes_.get(call.result);
  return make(to, b_.CreateAddrSpaceCast(object.scalar(), to->leaves[0]));
}

/// Emits modifiable_copy(t, i, v): a copy of tuple t whose element i is v.
EmittedValue Emitter::with_field(IntrinsicCall &call) {
  EmittedValue tuple = call.args[0], value = call.args[2];
  const Shape *to = shapes_.get(call.result);
  if (to->kind == Kind::Ghost || to->kind == Kind::Never) return {to, {}};
  if (to->kind == Kind::Opaque) to = tuple.shape;
  if (!tuple.is(Kind::Aggregate) || to->kind != Kind::Aggregate ||
      to->parts.size() != tuple.shape->parts.size())
    return bad(call, "expected a tuple");
  bool out_of_range = false;
  auto number = field_number(call, tuple, call.refs[1], out_of_range);
  if (out_of_range) {
    throw_exception(call.frame, "BoundsError");
    return {};
  }
  llvm::Value *index = nullptr;
  if (!number) {
    if (!call.args[1].is(Kind::Scalar) || !call.args[1].scalar()->getType()->isIntegerTy())
      return bad(call, "expected an index");
    index = call.args[1].scalar();
    check_index(call.frame, index, to->parts.size());
  }
  llvm::SmallVector<llvm::Value *, 8> leaves;
  for (size_t i = 0; i < to->parts.size(); ++i) {
    EmittedValue part;
    if (number)
      part = coerce(i == *number ? value : tuple.part(i), to->parts[i]);
    else
      part = choose(b_.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), i + 1)),
                    coerce(value, to->parts[i]), coerce(tuple.part(i), to->parts[i]));
    leaves.append(part.leaves.begin(), part.leaves.end());
  }
  return make(to, leaves);
}

} // namespace kiln
