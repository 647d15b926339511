// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of values during emission: a list of leaves, each one LLVM value. A struct has the leaves of its
// fields in order. A union has an i8 tag (index of its member) and the leaves of every member.
#pragma once

#include <types/types.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>

namespace kiln {

/// Form of the values of one type.
struct Shape {
  enum class Kind : uint8_t {
    Never,     ///< Union{}: no value exists
    Ghost,     ///< one instance: no leaves
    Scalar,    ///< primitive or pointer: one leaf; Bool is i1
    Aggregate, ///< immutable struct or tuple, exploded
    Union,     ///< tag, then the leaves of every member
    Mutable,   ///< one leaf: pointer to the object, an alloca
    Opaque,    ///< symbols, types, strings and non-concrete types: one pointer that is their identity
  };
  Kind kind = Kind::Never;
  bool is_bool = false;
  bool has_mutable = false; ///< a leaf points to a mutable object
  TypeRef type = nullptr;
  const Layout *layout = nullptr; ///< null if not isbits
  llvm::SmallVector<llvm::Type *, 2> leaves;
  llvm::SmallVector<const Shape *, 2> parts; ///< fields, or members of a union
  llvm::SmallVector<uint32_t, 2> first;      ///< first leaf of each part (Mutable: in `object`)
  llvm::Type *object = nullptr;              ///< Mutable: type of the object, one element per leaf

  // Set on first use by Shapes:
  mutable llvm::Type *memory = nullptr;
  mutable llvm::SmallVector<int, 2> memory_index; ///< element of `memory` for each part; -1: a ghost
};

/// A value during emission. Cheap to copy: its leaves are in the emitter's arena.
struct EmittedValue {
  const Shape *shape = nullptr; ///< null: no value (unreachable)
  llvm::ArrayRef<llvm::Value *> leaves;
  explicit operator bool() const { return shape != nullptr; }
  TypeRef type() const { return shape->type; }
  bool is(Shape::Kind kind) const { return shape && shape->kind == kind; }
  llvm::Value *scalar() const { return leaves[0]; }
  /// Field of an aggregate, or payload of a union member.
  EmittedValue part(size_t i) const {
    const Shape *s = shape->parts[i];
    return {s, leaves.slice(shape->first[i], s->leaves.size())};
  }
};

/// Position of one leaf in memory.
struct Slot {
  uint64_t offset;
  llvm::Type *type; ///< in memory: i8 for a Bool
};

/// Shapes of a module's types, made on first use.
class Shapes {
public:
  Shapes(TypeContext &types, llvm::LLVMContext &context, const llvm::DataLayout &layout, bool has_spaces);
  const Shape *get(TypeRef type);
  /// LLVM type with exactly the type's memory layout.
  llvm::Type *memory_type(const Shape *shape);
  /// Offsets of all leaves; the type must be isbits.
  void slots(const Shape *shape, uint64_t base, llvm::SmallVectorImpl<Slot> &into);
  /// LLVM's number of an address space of the language. Local memory is generic; native has a single space.
  unsigned address_space(int64_t space) const {
    return !has_spaces_ || space == 5 || space < 0 || space > 0xffffff ? 0 : unsigned(space);
  }

private:
  Shape *build(TypeRef type);
  void build_data(Shape &shape, const DataType *data);
  int nesting_ = 0; ///< depth of shapes being built
  bool add_parts(Shape &shape, std::span<const TypeRef> parts);
  void opaque(Shape &shape);
  void structure_type(const Shape *shape);
  llvm::Type *scalar_type(const DataType *data);

  TypeContext &types_;
  llvm::LLVMContext &context_;
  const llvm::DataLayout &layout_;
  bool has_spaces_; ///< TargetCapabilities::address_spaces
  llvm::Type *pointer_, *byte_;
  llvm::DenseMap<TypeRef, Shape *> shapes_; // looked up only, never iterated
  llvm::SpecificBumpPtrAllocator<Shape> storage_;
};

/// Parameter `index` of a data type as an integer (the 3 of LLVMPtr{T,3} or Val{3}).
std::optional<int64_t> integer_parameter(TypeRef type, size_t index);
/// Parameter `index` of a data type as a symbol.
Symbol symbol_parameter(TypeRef type, size_t index);

} // namespace kiln
