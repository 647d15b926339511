// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specificity of method signatures, which decides between matching methods (Bezanson, "Abstraction in
// Technical Computing", 2015, ch. 4.3; Julia manual, "Methods"). A strict subtype is more specific; otherwise
// arguments are compared one by one. A fixed number of arguments is more specific than Vararg, a diagonal
// variable more specific than free ones.
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln {

/// Returns true if signature `a` is strictly more specific than `b`.
KILN_API bool is_more_specific(TypeContext &types, TypeRef a, TypeRef b);

} // namespace kiln
