// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subtyping as Julia defines it: Zappa Nardelli et al., "Julia Subtyping: A Rational Reconstruction", OOPSLA
// 2018, with the diagonal rule. All functions are thread-safe and terminate: beyond a depth limit the result
// is "not a subtype".
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln {

KILN_API bool is_subtype(TypeContext &types, TypeRef a, TypeRef b);
KILN_API bool equal_types(TypeContext &types, TypeRef a, TypeRef b); ///< a <: b and b <: a

/// Matches a closed type with a signature (`Tuple{...} where {T, N}`). Returns the values of the signature's
/// variables, outermost first; a variable that the match does not determine is returned itself. No value:
/// `type` is not a subtype of the signature.
KILN_API std::optional<std::vector<TypeRef>> match_signature(TypeContext &types, TypeRef type,
                                                             TypeRef signature);

/// Returns false only if no value can have both types; true if in doubt.
KILN_API bool may_intersect(TypeContext &types, TypeRef a, TypeRef b);

/// Returns a type that contains every value that has both types. Exact for closed data types and their
/// unions. Bottom if the types are disjoint.
KILN_API TypeRef intersect(TypeContext &types, TypeRef a, TypeRef b);

/// Returns a common supertype of both, as Julia's typejoin: `Any` if no other name is above both.
KILN_API TypeRef join(TypeContext &types, TypeRef a, TypeRef b);

} // namespace kiln
