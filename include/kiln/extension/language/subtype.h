// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subtyping as Julia defines it: Zappa Nardelli et al., "Julia Subtyping: A Rational Reconstruction",
// OOPSLA 2018, with the diagonal rule. All functions are thread-safe and terminate (a depth bound answers
// "not a subtype").
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln {

KILN_API bool is_subtype(TypeContext &types, TypeRef a, TypeRef b);
KILN_API bool equal_types(TypeContext &types, TypeRef a, TypeRef b); ///< a <: b and b <: a

/// Matches a closed type against a signature (`Tuple{...} where {T, N}`) and yields the values of the
/// signature's variables, outermost first. A variable that the match leaves open stays as the variable
/// itself (an unbound type variable). No value: `type` is not a subtype.
KILN_API std::optional<std::vector<TypeRef>> match_signature(TypeContext &types, TypeRef type,
                                                             TypeRef signature);

/// False only if no value can be of both types (conservative: true if in doubt).
KILN_API bool may_intersect(TypeContext &types, TypeRef a, TypeRef b);

/// A type that contains every value of both: exact for closed data types and unions of them; Bottom if
/// they are disjoint.
KILN_API TypeRef intersect(TypeContext &types, TypeRef a, TypeRef b);

} // namespace kiln
