// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>

namespace kiln {

/// What is known of a value. Ordered: Bottom (type Union{}) <= poison <= constant <= known fields <= type <=
/// Any.
struct Lattice {
  TypeRef type = nullptr;        ///< null: not inferred yet (nothing reaches it)
  std::optional<Value> constant; ///< the value itself
  std::shared_ptr<const std::vector<Lattice>>
      fields; ///< of a tuple or struct, where one is better than its type

  /// Can only come from a Fault, which is reported once: what is computed from it is silent. Type is Any.
  bool poison = false;

  /// Knows that a singleton type has one value, and Type{T} the value T.
  static Lattice of_type(TypeContext &types, TypeRef type);
  static Lattice of_constant(TypeContext &types, Value value);
  static Lattice bottom(TypeContext &types) { return {types.bottom(), {}, {}}; }
  static Lattice poisoned(TypeContext &types) { return {types.builtins().Any, {}, {}, true}; }
  /// The type as dispatch sees it: Type{T} for a known type value.
  TypeRef dispatch_type(TypeContext &types) const;
  /// What is known of field `index` (0-based) of a tuple or struct; Bottom if there is no such field.
  Lattice field(TypeContext &types, size_t index) const;
  bool knows_more_than_type() const { return constant.has_value() || fields != nullptr; }
  bool is_bottom() const { return type && type->kind() == TypeKind::Bottom; }
  bool operator==(const Lattice &) const;
};

/// The least upper bound; unions wider than 4 members become Any.
Lattice join(TypeContext &types, const Lattice &a, const Lattice &b);
/// `a` narrowed to the values that are of type `to` (or known not to be, with `negate`).
Lattice narrow(TypeContext &types, const Lattice &a, TypeRef to, bool negate);
uint64_t hash(const Lattice &);
std::string to_string(const Lattice &);

} // namespace kiln
