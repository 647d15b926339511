// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of values during emission. A value is a list of leaves, each one LLVM value. A struct has the leaves
// of its fields in order. A union has an i8 tag (index of its member), then the leaves of every member.
#pragma once

#include <types/types.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>

namespace kiln {

/// Representation of a type's values: a kind and a list of leaves.
struct Shape {
  enum class Kind : uint8_t {
    Never,     ///< Union{}: no value exists
    Ghost,     ///< one instance: no leaves
    Scalar,    ///< a primitive or pointer: one leaf, which is i1 for a Bool
    Aggregate, ///< immutable struct or tuple, exploded
    Union,     ///< leaves: an i8 tag, then the leaves of every member
    Mutable,   ///< one leaf: pointer to the object, which is an alloca
    /// Symbols, types, strings, values of non-concrete types: one pointer that identifies the value.
    Opaque,
  };
  Kind kind = Kind::Never;
  bool is_bool = false;
  bool has_mutable = false; ///< true if a leaf points to a mutable object
  TypeRef type = nullptr;
  const Layout *layout = nullptr; ///< null if not isbits
  llvm::SmallVector<llvm::Type *, 2> leaves;
  llvm::SmallVector<const Shape *, 2> parts; ///< fields of a struct, or members of a union
  /// Index of each part's first leaf; for Mutable, of its element in `object`.
  llvm::SmallVector<uint32_t, 2> first;
  /// Mutable only: struct type of the object, with an element per leaf.
  llvm::Type *object = nullptr;

  // Set on first use by Shapes:
  mutable llvm::Type *memory = nullptr;
  /// Index of each part's element in `memory`; -1: a part without leaves.
  mutable llvm::SmallVector<int, 2> memory_index;
};

/// A value during emission. Cheap to copy: the array of leaves is owned by the emitter.
struct EmittedValue {
  const Shape *shape = nullptr; ///< null: no value (unreachable)
  llvm::ArrayRef<llvm::Value *> leaves;
  explicit operator bool() const { return shape != nullptr; }
  TypeRef type() const { return shape->type; }
  bool is(Shape::Kind kind) const { return shape && shape->kind == kind; }
  llvm::Value *scalar() const { return leaves[0]; }
  /// Returns field `i` of a struct, or the payload of a union's member `i`.
  EmittedValue part(size_t i) const {
    const Shape *s = shape->parts[i];
    return {s, leaves.slice(shape->first[i], s->leaves.size())};
  }
};

/// Offset and type of one leaf in memory.
struct Slot {
  uint64_t offset;
  llvm::Type *type; ///< type of the leaf in memory: i8 for a Bool
};

/// Makes the shape of a type when it is first needed. One object per module.
class Shapes {
public:
  Shapes(TypeContext &types, llvm::LLVMContext &context, const llvm::DataLayout &layout, bool has_spaces);
  const Shape *get(TypeRef type);
  /// LLVM type whose memory layout is exactly that of the language's type.
  llvm::Type *memory_type(const Shape *shape);
  /// Appends the memory offsets of all leaves, plus `base`. The type must be isbits.
  void slots(const Shape *shape, uint64_t base, llvm::SmallVectorImpl<Slot> &into);
  /// Converts an address space number of the language to LLVM's. Local memory is accessed through generic
  /// pointers (0). On native all spaces are 0.
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

/// Returns parameter `index` of a type if it is an integer: 3 for LLVMPtr{T,3} or Val{3}.
std::optional<int64_t> integer_parameter(TypeRef type, size_t index);
/// Returns parameter `index` of a type if it is a symbol, as in Val{:name}.
Symbol symbol_parameter(TypeRef type, size_t index);

} // namespace kiln
