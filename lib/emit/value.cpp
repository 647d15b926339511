// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "value.h"

namespace kiln {

using Kind = Shape::Kind;

std::optional<int64_t> integer_parameter(TypeRef type, size_t index) {
  auto *data = type ? type->as<DataType>() : nullptr;
  if (!data || index >= data->params().size()) return {};
  auto *constant = data->params()[index]->as<ConstType>();
  if (!constant || !constant->value().is_primitive()) return {};
  return int64_t(constant->value().low_bits());
}

Symbol symbol_parameter(TypeRef type, size_t index) {
  auto *data = type ? type->as<DataType>() : nullptr;
  if (!data || index >= data->params().size()) return {};
  auto *constant = data->params()[index]->as<ConstType>();
  return constant ? constant->value().as_symbol() : Symbol();
}

Shapes::Shapes(TypeContext &types, llvm::LLVMContext &context, const llvm::DataLayout &layout,
               bool has_spaces)
    : types_(types), context_(context), layout_(layout), has_spaces_(has_spaces),
      pointer_(llvm::PointerType::get(context, 0)), byte_(llvm::Type::getInt8Ty(context)) {}

const Shape *Shapes::get(TypeRef type) {
  auto [it, fresh] = shapes_.try_emplace(type, nullptr);
  if (!fresh && it->second) return it->second;
  // A type may contain itself, or ever new types of its own kind. Beyond this depth inner values are held as
  // pointers that only identify them.
  constexpr int max_nesting = 500;
  if (!fresh || nesting_ == max_nesting) {
    Shape *inner = new (storage_.Allocate()) Shape;
    inner->type = type;
    opaque(*inner);
    return inner;
  }
  nesting_++;
  Shape *shape = build(type);
  nesting_--;
  return shapes_[type] = shape;
}

void Shapes::opaque(Shape &shape) {
  shape.kind = Kind::Opaque;
  shape.parts.clear();
  shape.first.clear();
  shape.leaves.assign(1, pointer_);
}

/// Appends the leaves of all parts. Returns false if the number of parts is not fixed (Vararg).
bool Shapes::add_parts(Shape &shape, std::span<const TypeRef> parts) {
  for (TypeRef part : parts) {
    if (part->is<VarargType>()) return false;
    const Shape *s = get(part);
    shape.first.push_back(uint32_t(shape.leaves.size()));
    shape.parts.push_back(s);
    shape.leaves.append(s->leaves.begin(), s->leaves.end());
    shape.has_mutable |= s->has_mutable;
  }
  return true;
}

llvm::Type *Shapes::scalar_type(const DataType *data) {
  const auto &b = types_.builtins();
  if (&data->name() == b.PtrName) return pointer_;
  if (&data->name() == b.LLVMPtrName)
    return llvm::PointerType::get(context_, address_space(integer_parameter(data, 1).value_or(0)));
  if (data == b.Bool) return llvm::Type::getInt1Ty(context_);
  if (data == b.Float64) return llvm::Type::getDoubleTy(context_);
  if (data == b.Float32) return llvm::Type::getFloatTy(context_);
  if (data == b.Float16) return llvm::Type::getHalfTy(context_);
  if (data == b.BFloat16) return llvm::Type::getBFloatTy(context_);
  return llvm::Type::getIntNTy(context_, data->name().primitive_bits);
}

void Shapes::build_data(Shape &shape, const DataType *data) {
  const auto &b = types_.builtins();
  if (data->has_free_vars() || data->is_abstract()) return opaque(shape);
  const TypeName *name = &data->name();
  bool is_pointer = name == b.PtrName || name == b.LLVMPtrName;
  if (is_pointer || data->is_primitive()) {
    shape.kind = Kind::Scalar;
    shape.is_bool = data == b.Bool;
    shape.leaves.push_back(scalar_type(data));
    shape.layout = layout_of(types_, data);
    return;
  }
  for (TypeRef by_identity : {b.Symbol, b.String, b.Module, b.Expr, b.QuoteNode, b.GlobalRef, b.DataType,
                              b.UnionAll, b.Union, b.TypeofBottom, b.TypeVar})
    if (data == by_identity) return opaque(shape);
  if (name == b.ArrayName) return opaque(shape);
  if (!name->is_mutable && types_.is_singleton(data)) {
    shape.kind = Kind::Ghost;
    shape.layout = layout_of(types_, data);
    return;
  }
  if (name->is_type) return opaque(shape);
  if (!add_parts(shape, types_.field_types(data))) {
    shape.leaves.clear();
    return opaque(shape);
  }
  if (name->is_mutable) {
    shape.kind = Kind::Mutable;
    shape.has_mutable = true;
    shape.object = llvm::StructType::get(context_, shape.leaves);
    shape.leaves.assign(1, pointer_);
    return;
  }
  shape.kind = Kind::Aggregate;
  shape.layout = layout_of(types_, data);
}

Shape *Shapes::build(TypeRef type) {
  Shape *shape = new (storage_.Allocate()) Shape;
  shape->type = type;
  if (type->is<BottomType>()) return shape;
  if (auto *data = type->as<DataType>()) {
    build_data(*shape, data);
    return shape;
  }
  auto *u = type->as<UnionType>();
  if (!u || u->members().size() > 255) {
    opaque(*shape);
    return shape;
  }
  shape->kind = Kind::Union;
  shape->leaves.push_back(byte_);
  add_parts(*shape, u->members());
  for (const Shape *part : shape->parts)
    if (part->kind == Kind::Opaque && !types_.is_concrete(part->type)) {
      opaque(*shape);
      break;
    }
  return shape;
}

/// Makes the LLVM struct type of the parts. Padding is an explicit element only where LLVM's layout would
/// differ from the type's.
void Shapes::structure_type(const Shape *shape) {
  llvm::SmallVector<llvm::Type *, 8> elements;
  for (const Shape *part : shape->parts) {
    shape->memory_index.push_back(part->leaves.empty() ? -1 : int(elements.size()));
    if (!part->leaves.empty()) elements.push_back(memory_type(part));
  }
  auto *type = llvm::StructType::get(context_, elements);
  shape->memory = type;
  if (!shape->layout) return;
  auto *natural = layout_.getStructLayout(type);
  bool fits = natural->getSizeInBytes() == shape->layout->size;
  for (size_t i = 0; i < shape->parts.size(); ++i)
    if (int e = shape->memory_index[i]; e >= 0)
      fits &= natural->getElementOffset(unsigned(e)) == shape->layout->offsets[i];
  if (fits) return;

  elements.clear();
  uint64_t at = 0;
  auto pad_to = [&](uint64_t offset) {
    if (offset > at) elements.push_back(llvm::ArrayType::get(byte_, offset - at));
    at = std::max(at, offset);
  };
  for (size_t i = 0; i < shape->parts.size(); ++i) {
    if (shape->memory_index[i] < 0) continue;
    pad_to(shape->layout->offsets[i]);
    shape->memory_index[i] = int(elements.size());
    elements.push_back(memory_type(shape->parts[i]));
    at += shape->parts[i]->layout->size;
  }
  pad_to(shape->layout->size);
  shape->memory = llvm::StructType::get(context_, elements, /*isPacked=*/true);
}

llvm::Type *Shapes::memory_type(const Shape *shape) {
  if (shape->memory) return shape->memory;
  switch (shape->kind) {
  case Kind::Never:
  case Kind::Ghost: shape->memory = llvm::StructType::get(context_); break;
  case Kind::Scalar: shape->memory = shape->is_bool ? byte_ : shape->leaves[0]; break;
  case Kind::Mutable:
  case Kind::Opaque: shape->memory = shape->leaves[0]; break;
  case Kind::Union: shape->memory = llvm::StructType::get(context_, shape->leaves); break;
  case Kind::Aggregate: {
    auto *data = shape->type->as<DataType>();
    bool homogeneous = data->is_tuple() && !shape->parts.empty() && !shape->parts[0]->leaves.empty();
    for (const Shape *part : shape->parts) homogeneous &= part == shape->parts[0];
    if (!homogeneous) {
      structure_type(shape);
      break;
    }
    for (size_t i = 0; i < shape->parts.size(); ++i) shape->memory_index.push_back(int(i));
    shape->memory = llvm::ArrayType::get(memory_type(shape->parts[0]), shape->parts.size());
    break;
  }
  }
  return shape->memory;
}

void Shapes::slots(const Shape *shape, uint64_t base, llvm::SmallVectorImpl<Slot> &into) {
  assert(shape->layout && "only isbits types have a place in memory");
  if (shape->kind == Kind::Scalar) into.push_back({base, memory_type(shape)});
  for (size_t i = 0; i < shape->parts.size(); ++i)
    slots(shape->parts[i], base + shape->layout->offsets[i], into);
}

} // namespace kiln
