// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>

namespace kiln {

/// Facts that inference knows about a value. Order in the lattice: Bottom (type Union{}) <= poison <=
/// constant <= known fields <= type <= Any.
struct Lattice {
  TypeRef type = nullptr;        ///< null: not inferred yet (unreachable)
  std::optional<Value> constant; ///< the value itself
  /// Facts about a struct's or tuple's fields; null: nothing more than the type says.
  std::shared_ptr<const std::vector<Lattice>> fields;

  /// True for the result of a faulty statement. The fault is reported once; values computed from it cause no
  /// further reports. The type is Any.
  bool poison = false;

  /// Facts about values of a type. A singleton type gives its only value as a constant, and Type{T} gives the
  /// value T.
  static Lattice of_type(TypeContext &types, TypeRef type);
  static Lattice of_constant(TypeContext &types, Value value);
  static Lattice bottom(TypeContext &types) { return {types.bottom(), {}, {}}; }
  static Lattice poisoned(TypeContext &types) { return {types.builtins().Any, {}, {}, true}; }
  /// Type by which methods are chosen: Type{T} if the value is known to be the type T, else `type`.
  TypeRef dispatch_type(TypeContext &types) const;
  /// Facts about field `index` (from 0) of a tuple or struct. Bottom: it has no such field.
  Lattice field(TypeContext &types, size_t index) const;
  bool knows_more_than_type() const { return constant.has_value() || fields != nullptr; }
  bool is_bottom() const { return type && type->kind() == TypeKind::Bottom; }
  bool operator==(const Lattice &) const;
};

/// Least upper bound of both. A union of more than 4 members becomes Any.
Lattice join(TypeContext &types, const Lattice &a, const Lattice &b);
/// Facts about `a` if its value is of type `to`. With `negate`: if its value is not of type `to`.
Lattice narrow(TypeContext &types, const Lattice &a, TypeRef to, bool negate);
uint64_t hash(const Lattice &);
std::string to_string(const Lattice &);

} // namespace kiln
