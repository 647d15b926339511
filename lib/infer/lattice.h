// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>

namespace kiln {

/// Known facts about a value. Order: Bottom (type Union{}) <= poison <= constant <= known fields <= type <=
/// Any.
struct Lattice {
  TypeRef type = nullptr;                             ///< null: not inferred yet (unreachable)
  std::optional<Value> constant;                      ///< the value itself
  std::shared_ptr<const std::vector<Lattice>> fields; ///< of a tuple or struct, if more precise than its type

  /// Result of a Fault, which is reported once: values computed from it are silent. Type is Any.
  bool poison = false;

  /// A singleton type becomes its only value, and Type{T} the value T.
  static Lattice of_type(TypeContext &types, TypeRef type);
  static Lattice of_constant(TypeContext &types, Value value);
  static Lattice bottom(TypeContext &types) { return {types.bottom(), {}, {}}; }
  static Lattice poisoned(TypeContext &types) { return {types.builtins().Any, {}, {}, true}; }
  /// Type for dispatch: Type{T} for a known type value.
  TypeRef dispatch_type(TypeContext &types) const;
  /// Facts about field `index` (0-based) of a tuple or struct; Bottom: no such field.
  Lattice field(TypeContext &types, size_t index) const;
  bool knows_more_than_type() const { return constant.has_value() || fields != nullptr; }
  bool is_bottom() const { return type && type->kind() == TypeKind::Bottom; }
  bool operator==(const Lattice &) const;
};

/// Least upper bound. Unions of more than 4 members become Any.
Lattice join(TypeContext &types, const Lattice &a, const Lattice &b);
/// Narrows `a` to values of type `to`; with `negate`, to values not of that type.
Lattice narrow(TypeContext &types, const Lattice &a, TypeRef to, bool negate);
uint64_t hash(const Lattice &);
std::string to_string(const Lattice &);

} // namespace kiln
