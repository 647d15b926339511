// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>

namespace kiln {

/// What is known of a value. Ordered: Bottom (type Union{}) <= constant <= known fields <= type <= Any.
struct Lattice {
  TypeRef type = nullptr;                            ///< null: not inferred yet (nothing reaches it)
  std::optional<Value> constant;                     ///< the value itself
  std::shared_ptr<const std::vector<Lattice>> fields; ///< of a tuple or struct, where one is better than its type

  static Lattice of_type(TypeRef type) { return {type, {}, {}}; }
  static Lattice of_constant(TypeContext &types, Value value);
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
