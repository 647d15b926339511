// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts values between the shapes of types, without branches: into a union, out of a union, and for tuples
// element by element.
#include "emitter.h"

namespace kiln {

EmittedValue Emitter::make(const Shape *shape, llvm::ArrayRef<llvm::Value *> leaves) {
  assert(leaves.size() == shape->leaves.size());
  if (leaves.empty()) return {shape, {}};
  return {shape, leaves.copy(arena_)};
}

EmittedValue Emitter::one(TypeRef type, llvm::Value *leaf) { return make(shapes_.get(type), leaf); }

EmittedValue Emitter::poison(const Shape *shape) {
  llvm::SmallVector<llvm::Value *, 4> leaves;
  for (llvm::Type *type : shape->leaves) leaves.push_back(llvm::PoisonValue::get(type));
  return make(shape, leaves);
}

/// True if reading an unassigned variable gives zero: in code of a language with a join rule, whose variables
/// need no declaration. Debug level 2 (-g2) throws instead.
bool Emitter::zeroes_unassigned(const Frame &frame) const {
  return frame.code.code->hints.join && !debug_.full();
}

EmittedValue Emitter::unassigned(const Frame &frame, const Shape *shape) {
  if (!zeroes_unassigned(frame)) return poison(shape);
  llvm::SmallVector<llvm::Value *, 4> leaves;
  for (llvm::Type *type : shape->leaves) leaves.push_back(llvm::Constant::getNullValue(type));
  return make(shape, leaves);
}

EmittedValue Emitter::choose(llvm::Value *condition, EmittedValue a, EmittedValue b) {
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(condition)) return known->isZero() ? b : a;
  llvm::SmallVector<llvm::Value *, 4> leaves;
  for (size_t i = 0; i < a.leaves.size(); ++i) {
    llvm::Value *x = a.leaves[i], *y = b.leaves[i];
    // A poison leaf may have any value: take the other operand without a select.
    if (x == y || llvm::isa<llvm::PoisonValue>(y))
      leaves.push_back(x);
    else if (llvm::isa<llvm::PoisonValue>(x))
      leaves.push_back(y);
    else
      leaves.push_back(b_.CreateSelect(condition, x, y));
  }
  return make(a.shape, leaves);
}

llvm::Value *Emitter::tag_is(EmittedValue value, size_t member) {
  return b_.CreateICmpEQ(value.leaves[0], b_.getInt8(uint8_t(member)));
}

EmittedValue Emitter::by_member(EmittedValue value, const Shape *to,
                                llvm::function_ref<EmittedValue(size_t)> f) {
  EmittedValue result;
  for (size_t m = value.shape->parts.size(); m-- > 0;) {
    EmittedValue part = f(m);
    if (!part) continue;
    result = result ? choose(tag_is(value, m), part, result) : part;
  }
  return result ? result : poison(to);
}

namespace {

/// Index of the member of union `u` that values of `type` belong to; -1: none.
int member_of(TypeContext &types, const Shape *u, TypeRef type) {
  for (size_t i = 0; i < u->parts.size(); ++i)
    if (u->parts[i]->type == type) return int(i);
  for (size_t i = 0; i < u->parts.size(); ++i)
    if (is_subtype(types, type, u->parts[i]->type)) return int(i);
  // A tuple type with union elements belongs to a member that intersects it.
  for (size_t i = 0; i < u->parts.size(); ++i)
    if (may_intersect(types, type, u->parts[i]->type)) return int(i);
  return -1;
}

} // namespace

EmittedValue Emitter::coerce_union(EmittedValue value, const Shape *to) {
  if (!value.is(Kind::Union)) {
    int member = member_of(types_, to, value.type());
    EmittedValue whole = poison(to);
    if (member < 0 || value.is(Kind::Never)) return whole;
    llvm::SmallVector<llvm::Value *, 8> leaves(whole.leaves.begin(), whole.leaves.end());
    EmittedValue part = coerce(value, to->parts[size_t(member)]);
    leaves[0] = b_.getInt8(uint8_t(member));
    std::copy(part.leaves.begin(), part.leaves.end(), leaves.begin() + to->first[size_t(member)]);
    return make(to, leaves);
  }
  return by_member(value, to, [&](size_t m) -> EmittedValue {
    if (member_of(types_, to, value.shape->parts[m]->type) < 0) return {};
    return coerce_union(value.part(m), to);
  });
}

EmittedValue Emitter::narrow_union(EmittedValue value, const Shape *to) {
  for (size_t m = 0; m < value.shape->parts.size(); ++m)
    if (value.shape->parts[m]->type == to->type) return value.part(m);
  return by_member(value, to, [&](size_t m) -> EmittedValue {
    if (!may_intersect(types_, value.shape->parts[m]->type, to->type)) return {};
    return coerce(value.part(m), to);
  });
}

EmittedValue Emitter::coerce(EmittedValue value, const Shape *to) {
  if (value.shape == to) return value;
  if (to->leaves.empty()) return {to, {}};
  switch (to->kind) {
  case Kind::Never:
  case Kind::Ghost: return {to, {}};
  case Kind::Union: return coerce_union(value, to);
  case Kind::Aggregate: {
    if (value.is(Kind::Union)) return narrow_union(value, to);
    if (!value.is(Kind::Aggregate) || value.shape->parts.size() != to->parts.size()) return poison(to);
    llvm::SmallVector<llvm::Value *, 8> leaves;
    for (size_t i = 0; i < to->parts.size(); ++i) {
      EmittedValue part = coerce(value.part(i), to->parts[i]);
      leaves.append(part.leaves.begin(), part.leaves.end());
    }
    return make(to, leaves);
  }
  case Kind::Scalar:
  case Kind::Mutable:
    if (value.is(Kind::Union)) return narrow_union(value, to);
    return value.is(to->kind) && value.type() == to->type ? make(to, value.leaves) : poison(to);
  case Kind::Opaque:
    if (value.is(Kind::Opaque)) return make(to, value.leaves);
    if (value.is(Kind::Ghost)) return make(to, identity(types_.singleton_value(value.type())));
    if (value.is(Kind::Union))
      return by_member(value, to, [&](size_t m) { return coerce(value.part(m), to); });
    return make(to, boxed(value.type())); // a placeholder with an identity, whose contents no code can read
  }
  return poison(to);
}

} // namespace kiln
