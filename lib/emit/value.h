// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values of each type are held while code is emitted: as a list of leaves, one LLVM value each. A
// struct's leaves are those of its fields in order; a union's are an i8 tag (index into its members) and
// those of every member.
#pragma once

#include <types/types.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>

namespace kiln {

/// The form that values of one type take.
struct Shape {
  enum class Kind : uint8_t {
    Never,     ///< Union{}: no value gets here
    Ghost,     ///< one instance: no leaves
    Scalar,    ///< a primitive or a pointer: one leaf; Bool is i1
    Aggregate, ///< an immutable struct or tuple, exploded
    Union,     ///< tag, then the leaves of every member
    Mutable,   ///< one leaf: pointer to the object, an alloca
    Opaque,    ///< symbols, types, strings and what has no concrete type: one pointer that stands for its
               ///< identity
  };
  Kind kind = Kind::Never;
  bool is_bool = false;
  bool has_mutable = false; ///< one of its leaves points to a mutable object
  TypeRef type = nullptr;
  const Layout *layout = nullptr; ///< null if not isbits
  llvm::SmallVector<llvm::Type *, 2> leaves;
  llvm::SmallVector<const Shape *, 2> parts; ///< fields, or members of a union
  llvm::SmallVector<uint32_t, 2> first;      ///< first leaf of each part (Mutable: in `object`)
  llvm::Type *object = nullptr;              ///< Mutable: what its pointer points to, one element a leaf

  // Made on first use by Shapes:
  mutable llvm::Type *memory = nullptr;
  mutable llvm::SmallVector<int, 2> memory_index; ///< element of `memory` that holds a part; -1: a ghost
};

/// A value under way. Cheap to copy: its leaves live in the emitter's arena.
struct EmittedValue {
  const Shape *shape = nullptr; ///< null: no value (never reached)
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

/// Where one leaf lies in memory.
struct Slot {
  uint64_t offset;
  llvm::Type *type; ///< of the memory: i8 for a Bool
};

/// Shapes of a module's types, made on first use.
class Shapes {
public:
  Shapes(TypeContext &types, llvm::LLVMContext &context, const llvm::DataLayout &layout, bool has_spaces);
  const Shape *of(TypeRef type);
  /// The LLVM type with exactly the memory layout of the type.
  llvm::Type *memory_type(const Shape *shape);
  /// Offsets of all leaves; the type must be isbits.
  void slots(const Shape *shape, uint64_t base, llvm::SmallVectorImpl<Slot> &into);
  /// LLVM's number for an address space of the language: local memory is generic, native has one space only.
  unsigned address_space(int64_t space) const {
    return !has_spaces_ || space == 5 || space < 0 || space > 0xffffff ? 0 : unsigned(space);
  }

private:
  Shape *build(TypeRef type);
  void build_data(Shape &shape, const DataType *data);
  int nesting_ = 0; ///< of shapes that are being built
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
